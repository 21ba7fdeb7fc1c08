import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { CheckboxGroup } from '../../../ui/fields/checkbox-group.tsx';
import type { Role } from '../../api/operators.ts';

const ROLES: Readonly<Record<Role, { label: string; description: string }>> = {
  auditor: { label: 'Auditor', description: 'Reads. Every role does.' },
  support: { label: 'Support', description: 'What is held of customers.' },
  payments: { label: 'Payments', description: 'Merchants, money, holds and banks.' },
  security: { label: 'Security', description: 'Operators, resets and keys.' },
};
const OPTIONS = Object.entries(ROLES).map(([value, words]) => ({ value, ...words }));

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
