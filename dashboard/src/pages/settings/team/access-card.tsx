import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type Access,
  type AccessRules,
  useAccess,
  useChangeAccess,
} from '../../../api/people/access.ts';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { Form } from '../../../ui/fields/form.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CLEAN, SaveBar } from '../frame/save-bar.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { IDLE_CHOICES, LONGEST_CHOICES, optionsWith } from './session-choices.ts';

interface Values {
  requires_second_factor: boolean;
  session_idle: string;
  session_longest: string;
}

const valuesOf = (access: AccessRules): Values => ({
  requires_second_factor: access.requires_second_factor,
  session_idle: String(access.session_idle_minutes ?? ''),
  session_longest: String(access.session_longest_minutes ?? ''),
});

const minutes = (value: string): number | null => (value === '' ? null : Number(value));

const rulesOf = (values: Values): AccessRules => ({
  requires_second_factor: values.requires_second_factor,
  session_idle_minutes: minutes(values.session_idle),
  session_longest_minutes: minutes(values.session_longest),
});

function factorNote({ has_second_factor, members_without_second_factor: without }: Access): string {
  if (!has_second_factor)
    return 'Set up two-factor sign-in for yourself first, under Your security.';
  if (without === 0) return 'Every member has one.';
  const who = without === 1 ? '1 member has' : `${without} members have`;
  return `${who} none yet. They have to set it up before they can do anything else.`;
}

interface ConfirmProps {
  wanted: AccessRules;
  hasSecondFactor: boolean;
  onSaved: (access: Access) => void;
  onClose: () => void;
}

function Confirm({ wanted, hasSecondFactor, onSaved, onClose }: ConfirmProps) {
  const change = useChangeAccess();
  return (
    <ProofDialog
      onClose={onClose}
      title="Change how the team signs in?"
      withCode={hasSecondFactor}
      onProof={async (proof) => {
        onSaved(await change.mutateAsync({ ...wanted, ...proof }));
        toast('Sign-in rules changed.', 'success');
      }}
      confirmLabel="Change sign-in rules"
    >
      <p>
        The new rules apply to every member at once, you included. Sessions that are too old by
        these rules end.
      </p>
    </ProofDialog>
  );
}

function Rules({ access }: { access: Access }) {
  const [wanted, setWanted] = useState<AccessRules | null>(null);
  const form = useForm<Values>({
    values: valuesOf(access),
    resetOptions: { keepDirtyValues: true },
  });
  return (
    <>
      <p className="quiet">{access.sessions_in_words}</p>
      <Form form={form} onSubmit={async (values) => setWanted(rulesOf(values))} guardsChanges>
        <CheckboxField
          control={form.control}
          name="requires_second_factor"
          label="Require two-factor sign-in"
          description={factorNote(access)}
          isDisabled={!(access.has_second_factor || access.requires_second_factor)}
        />
        <div className="form-row">
          <SelectField
            control={form.control}
            name="session_idle"
            label="Sign out after no use for"
            options={optionsWith(IDLE_CHOICES, access.session_idle_minutes)}
          />
          <SelectField
            control={form.control}
            name="session_longest"
            label="Sign in again after"
            options={optionsWith(LONGEST_CHOICES, access.session_longest_minutes)}
          />
        </div>
        <SaveBar form={form} isLocked={false} label="Change…" />
      </Form>
      {wanted === null ? null : (
        <Confirm
          wanted={wanted}
          hasSecondFactor={access.has_second_factor}
          onSaved={(saved) => form.reset(valuesOf(saved), CLEAN)}
          onClose={() => setWanted(null)}
        />
      )}
    </>
  );
}

/** How the members of the team sign in, for owners. */
export function AccessCard() {
  const access = useAccess();
  return (
    <Card title="Signing in" lead="For every member of the team.">
      <QueryView query={access}>{(data) => <Rules access={data} />}</QueryView>
    </Card>
  );
}
