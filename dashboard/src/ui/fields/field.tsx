import { type ReactNode, useId } from 'react';
import type { Control, FieldPath, FieldValues, UseControllerProps } from 'react-hook-form';

/** The props of every form field. `control` and `name` are react-hook-form's. */
export interface FieldProps<V extends FieldValues> {
  control: Control<V>;
  name: FieldPath<V>;
  label: string;
  description?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  rules?: UseControllerProps<V>['rules'];
}

/** Returns the rules of a field, including that it must not be empty. */
export function rulesOf<V extends FieldValues>(
  props: Pick<FieldProps<V>, 'rules' | 'isRequired' | 'label'>,
): UseControllerProps<V>['rules'] {
  if (!props.isRequired) return props.rules;
  return { required: `${props.label} is required.`, ...props.rules };
}

/** Links label, description and error to the control, by ids. */
export function useFieldIds(hasDescription: boolean, error: string | undefined) {
  const id = useId();
  const described = [
    ...(hasDescription ? [`${id}-description`] : []),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  return {
    id,
    control: {
      id,
      'aria-invalid': error === undefined ? undefined : true,
      'aria-describedby': described.length === 0 ? undefined : described.join(' '),
    },
  };
}

interface FieldFrameProps {
  id: string;
  label: string;
  isRequired?: boolean | undefined;
  description?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}

/** Label above, description and error below. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, isRequired, description, error, children } = props;
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
        {isRequired === false ? <span className="field-optional"> (optional)</span> : null}
      </label>
      {children}
      {description === undefined ? null : (
        <p id={`${id}-description`} className="field-description">
          {description}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** The error of a field; `id` is the field's. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={`${id}-error`} className="field-error">
      {error}
    </p>
  );
}
