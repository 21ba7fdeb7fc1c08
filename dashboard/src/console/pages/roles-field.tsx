import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';

const OPTIONS = [
  { value: 'auditor', label: 'Auditor', description: 'Reads. Every role does.' },
  { value: 'support', label: 'Support', description: 'What is held of customers.' },
  { value: 'payments', label: 'Payments', description: 'Merchants, money, holds and banks.' },
  { value: 'security', label: 'Security', description: 'Operators, resets and keys.' },
] as const;

/** Asks what an operator may do. */
export function RolesField<V extends FieldValues>(props: {
  control: Control<V>;
  name: FieldPath<V>;
}) {
  return (
    <CheckboxGroup
      {...props}
      label="Roles"
      options={OPTIONS}
      rules={{ validate: (roles) => (roles as string[]).length > 0 || 'Choose at least one.' }}
    />
  );
}
