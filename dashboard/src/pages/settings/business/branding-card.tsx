import { type Control, useController, useForm, useWatch } from 'react-hook-form';
import {
  type BrandingChanges,
  type BrandingView,
  useBranding,
  useChangeBranding,
} from '../../../api/branding.ts';
import { BRAND_COLOUR } from '../../../ui/brand.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { FieldFrame, useFieldIds } from '../../../ui/fields/field.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CLEAN, SaveBar } from '../frame/save-bar.tsx';
import { type BrandingForm, LogoField } from './logo-field.tsx';
import { colourStyle, isColour, MerchantMark } from './merchant-mark.tsx';

const COLOUR_NOTE = 'The colour of buttons. White text on it must be readable.';

const formOf = ({ colour, logo_url }: BrandingView): BrandingForm => ({
  colour: colour ?? '',
  logo: logo_url,
});

/** Returns what differs from what is saved. A file is sent without what stands before its base64. */
function changesOf(saved: BrandingForm, { colour, logo }: BrandingForm): BrandingChanges {
  return {
    ...(colour === saved.colour ? {} : { colour: colour.trim() === '' ? null : colour.trim() }),
    ...(logo === saved.logo ? {} : { logo: logo?.slice(logo.indexOf(',') + 1) ?? null }),
  };
}

interface BrandingProps {
  name: string;
  isLocked: boolean;
}

/** The logo and the colour that customers see. */
export function BrandingCard(props: BrandingProps) {
  const look = useBranding();
  return (
    <Card
      title="Logo and colour"
      lead="Customers see them on their payment pages and in the emails they get from you."
    >
      <QueryView query={look}>{(saved) => <Fields saved={formOf(saved)} {...props} />}</QueryView>
    </Card>
  );
}

function Fields({ saved, name, isLocked }: BrandingProps & { saved: BrandingForm }) {
  const change = useChangeBranding();
  const form = useForm<BrandingForm>({ values: saved, resetOptions: { keepDirtyValues: true } });
  const save = async (values: BrandingForm) => {
    form.reset(formOf(await change.mutateAsync(changesOf(saved, values))), CLEAN);
    toast('Saved.', 'success');
  };
  const { control } = form;
  return (
    <Form form={form} onSubmit={save} guardsChanges>
      <div className="form-row">
        <LogoField control={control} isDisabled={isLocked} />
        <ColourField control={control} isDisabled={isLocked} />
      </div>
      <Preview control={control} name={name} />
      <SaveBar form={form} isLocked={isLocked} />
    </Form>
  );
}

/** A colour as text and as a colour to pick. */
function ColourField({
  control,
  isDisabled,
}: {
  control: Control<BrandingForm>;
  isDisabled: boolean;
}) {
  const { field, fieldState } = useController({ control, name: 'colour' });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(true, error);
  return (
    <FieldFrame id={id} label="Colour" isRequired={false} description={COLOUR_NOTE} error={error}>
      <div className="look-row">
        <input
          type="color"
          className="colour-well"
          aria-label="Pick a colour"
          value={isColour(field.value) ? field.value : BRAND_COLOUR}
          disabled={isDisabled}
          onChange={(event) => field.onChange(event.target.value)}
        />
        <input
          {...aria}
          {...field}
          className="input input-code"
          autoComplete="off"
          spellCheck={false}
          placeholder={BRAND_COLOUR}
          maxLength={7}
          disabled={isDisabled}
        />
      </div>
    </FieldFrame>
  );
}

function Preview({ control, name }: { control: Control<BrandingForm>; name: string }) {
  const [colour, logo] = useWatch({ control, name: ['colour', 'logo'] });
  return (
    <section className="preview" aria-label="How it looks">
      <div className="preview-head">
        <MerchantMark name={name} look={{ colour, logo }} />
        <strong>{name}</strong>
      </div>
      <span className="look-button" style={colourStyle(colour)}>
        Continue to your bank
      </span>
    </section>
  );
}
