import Type from 'typebox';
import { type Branding, LONGEST_LOGO_TEXT } from '../../merchants/branding/branding.ts';
import { changeBranding, readBranding } from '../../merchants/branding/branding-service.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { Fields, OrNull } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { BrandingView } from './view.ts';

const tag = 'Dashboard';
const view = ({ colour, logo }: Branding): BrandingView => ({
  colour,
  logo_url: logo?.url ?? null,
});

/** Returns the routes of the logo and the colour that customers see. */
export function brandingRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/look',
      summary: 'Get the logo and the colour that customers see',
      tag,
      operationId: 'getLook',
      scope: null,
      permission: 'read',
      response: BrandingView,
      handle: async ({ tx, merchantId }) => view(await readBranding(platform, tx, merchantId)),
    }),
    route({
      method: 'PUT',
      path: '/api/look',
      summary: 'Change the logo and the colour that customers see',
      description: 'Only the fields sent are changed; null takes one away.',
      tag,
      operationId: 'changeLook',
      scope: null,
      permission: 'manage_settings',
      proof: 'never',
      body: Fields({
        colour: Type.Optional(OrNull(Type.String({ maxLength: 20 }))),
        logo: Type.Optional(
          OrNull(
            Type.String({ maxLength: LONGEST_LOGO_TEXT, description: 'A PNG or JPEG in base64.' }),
          ),
        ),
      }),
      response: BrandingView,
      leavesWork: () => false,
      handle: async (call) => view(await changeBranding(platform, call, call.body)),
    }),
  ];
}
