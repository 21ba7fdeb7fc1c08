import { type Control, useController } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { FieldFrame, useFieldIds } from '../../../ui/fields/field.tsx';

export interface BrandingForm {
  colour: string;
  /** Where the logo is: served, or in the file just chosen. */
  logo: string | null;
}

/** 100 KB in base64, and what stands before it in an address of data. */
const LONGEST_ADDRESS = 136_600;
const TOO_LARGE = 'The file must have at most 100 KB.';
const NOTE = 'PNG or JPEG, up to 100 KB and 2000 pixels wide and high. Shown up to 44 pixels high.';

/** Reads a file as an address of data. */
function addressOf(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

interface LogoFieldProps {
  control: Control<BrandingForm>;
  isDisabled: boolean;
}

/** Chooses the logo from a file, or removes it; the form's value is an address. */
export function LogoField({ control, isDisabled }: LogoFieldProps) {
  const { field, fieldState } = useController({
    control,
    name: 'logo',
    rules: { validate: (logo) => (logo?.length ?? 0) <= LONGEST_ADDRESS || TOO_LARGE },
  });
  const error = fieldState.error?.message;
  const { id, control: aria } = useFieldIds(true, error);
  const choose = async (file: File | undefined) => {
    if (file !== undefined) field.onChange(await addressOf(file));
  };
  return (
    <FieldFrame id={id} label="Logo" description={NOTE} error={error}>
      <input
        {...aria}
        ref={field.ref}
        className="input"
        type="file"
        accept="image/png,image/jpeg"
        disabled={isDisabled}
        onClick={(event) => {
          event.currentTarget.value = ''; // so that the file that was removed can be chosen again
        }}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      {field.value === null || isDisabled ? null : (
        <div>
          <Button size="small" onPress={() => field.onChange(null)}>
            Remove the logo
          </Button>
        </div>
      )}
    </FieldFrame>
  );
}
