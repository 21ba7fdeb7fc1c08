import Type, { type Static } from 'typebox';
import { Instant, ListOf, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

/** A kind of email. */
const KindItem = Type.Object({
  kind: Type.String(),
  title: Type.String(),
  about: Type.String(),
  readers: Type.String({ description: 'Who gets it, in words.' }),
  is_for_customers: Type.Boolean(),
  is_optional: Type.Boolean({ description: 'Whether it can be turned off.' }),
  is_on: Type.Boolean(),
  days_ahead: OrNull(
    Type.Integer({ description: 'How many days before a collection; null: not that kind.' }),
  ),
  preview: Type.Object({
    subject: Type.String(),
    text: Type.String({ description: 'The plain-text version.' }),
  }),
  text_message: OrNull(
    Type.String({ description: 'As a text message; null: it is never sent as one.' }),
  ),
});
export type KindItem = Static<typeof KindItem>;

/** Every kind of email. */
export const KindList = Type.Object({
  is_sent: Type.Boolean({ description: 'Whether this service has a mail server.' }),
  is_texted: Type.Boolean({ description: 'Whether this service sends text messages.' }),
  kinds: Type.Array(KindItem),
});
export type KindList = Static<typeof KindList>;

const NoticeItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  by: OneOf(['email', 'text'] as const),
  to: Type.Object({
    name: Type.String(),
    address: Type.String({ description: 'The email address, or the end of the phone number.' }),
  }),
  subject: Type.String(),
  lines: Type.Array(Type.String(), { description: 'Its paragraphs. Links are left out.' }),
  status: OneOf(['pending', 'sent', 'failed', 'kept'] as const),
  attempts: Type.Integer(),
  error: OrNull(Type.String()),
  created_at: Instant,
  ended_at: OrNull(Instant),
});
export type NoticeItem = Static<typeof NoticeItem>;

/** The emails and text messages of a merchant, newest first. */
export const NoticeList = ListOf(NoticeItem);
export type NoticeList = Static<typeof NoticeList>;

/** The logo and the colour that customers see; null: none. */
export const BrandingView = Type.Object({
  colour: OrNull(Type.String()),
  logo_url: OrNull(Type.String()),
});
export type BrandingView = Static<typeof BrandingView>;
