import { type Control, useController, useForm, useWatch } from 'react-hook-form';
import { type LookChanges, type LookView, useChangeLook, useLook } from '../../../api/look.ts';
import { Card } from '../../../ui/card.tsx';
import { FieldFrame, useFieldIds } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CLEAN, SaveBar } from '../frame/save-bar.tsx';
import { LogoField, type LookForm } from './logo-field.tsx';
import { colourStyle, isColour, MerchantMark } from './merchant-mark.tsx';

const COLOUR_NOTE = 'The colour of buttons. White text on it must be readable.';
const OUR_COLOUR = '#0a6650';

const formOf = ({ colour, logo_url }: LookView): LookForm => ({
  colour: colour ?? '',
  logo: logo_url,
});

/** Returns what differs from what is saved. A file is sent without what stands before its base64. */
function changesOf(saved: LookForm, { colour, logo }: LookForm): LookChanges {
  return {
    ...(colour === saved.colour ? {} : { colour: colour.trim() === '' ? null : colour.trim() }),
    ...(logo === saved.logo ? {} : { logo: logo?.slice(logo.indexOf(',') + 1) ?? null }),
  };
}

interface LookProps {
  name: string;
  isLocked: boolean;
}

/** The logo and the colour that customers see. */
export function LookCard(props: LookProps) {
  const look = useLook();
  return (
    <Card
      title="Logo and colour"
      lead="Customers see them on their payment pages and in the emails they get from you."
    >
      <QueryView query={look}>{(saved) => <Fields saved={formOf(saved)} {...props} />}</QueryView>
    </Card>
  );
}

function Fields({ saved, name, isLocked }: LookProps & { saved: LookForm }) {
  const change = useChangeLook();
  const form = useForm<LookForm>({ values: saved, resetOptions: { keepDirtyValues: true } });
  const save = async (values: LookForm) => {
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
function ColourField({ control, isDisabled }: { control: Control<LookForm>; isDisabled: boolean }) {
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
          value={isColour(field.value) ? field.value : OUR_COLOUR}
          disabled={isDisabled}
          onChange={(event) => field.onChange(event.target.value)}
        />
        <input
          {...aria}
          {...field}
          className="input input-code"
          autoComplete="off"
          spellCheck={false}
          placeholder={OUR_COLOUR}
          maxLength={7}
          disabled={isDisabled}
        />
      </div>
    </FieldFrame>
  );
}

function Preview({ control, name }: { control: Control<LookForm>; name: string }) {
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
