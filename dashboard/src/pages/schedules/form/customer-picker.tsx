import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { type Control, useController } from 'react-hook-form';
import { useCustomer, useCustomers } from '../../../api/customers.ts';
import { ChevronDown } from '../../../ui/icons.tsx';
import { useDebounced } from './debounced.ts';
import type { ScheduleValues } from './schedule-form.ts';

const PAUSE_MS = 250;
const ID = /^cus_\w+$/;

/** Finds a customer by name, email, reference, number or id; the form's value is the id. */
export function CustomerPicker({ control }: { control: Control<ScheduleValues> }) {
  const { field, fieldState } = useController({
    control,
    name: 'customer.value',
    rules: { required: 'Select a customer.' },
  });
  const chosen = useCustomer(field.value);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? chosen.data?.shown.label ?? field.value;
  const search = useDebounced(typed ?? '', PAUSE_MS);
  const found = useCustomers({ q: search });
  const error = fieldState.error?.message;
  return (
    <ComboBox
      className="field"
      inputValue={text}
      onInputChange={(next) => {
        setTyped(next);
        if (ID.test(next.trim())) field.onChange(next.trim());
      }}
      value={field.value === '' ? null : field.value}
      onChange={(key) => {
        if (key === null) return;
        field.onChange(String(key));
        setTyped(found.data?.find((customer) => customer.id === key)?.shown.label ?? null);
      }}
      items={found.data ?? []}
      isInvalid={error !== undefined}
      allowsEmptyCollection
      allowsCustomValue
      menuTrigger="focus"
      onBlur={field.onBlur}
    >
      <Label className="field-label">Customer</Label>
      <div className="picker">
        <Input className="input" ref={field.ref} placeholder="Name, email, reference or number" />
        <Button className="icon-button icon-button-small" aria-label="Show customers">
          <ChevronDown aria-hidden="true" />
        </Button>
      </div>
      <Text slot="description" className="field-description">
        {field.value === '' ? 'Select one of your existing customers.' : field.value}
      </Text>
      <FieldError className="field-error">{error}</FieldError>
      <Popover className="menu-popover picker-popover">
        <ListBox
          className="menu"
          renderEmptyState={() => (
            <p className="picker-none">
              {found.isPending
                ? 'Searching…'
                : 'No customers match. Type three letters or more of a name, or the last four digits.'}
            </p>
          )}
        >
          {(customer: { id: string; label: string }) => (
            <ListBoxItem id={customer.id} textValue={customer.label} className="menu-item">
              {customer.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
