import type { SandboxBank, SandboxDecided } from '@recollect/sdk';
import { useEffect } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router';
import type { ScheduleItem } from '../../../../server/src/dashboard/schedules/list-view.ts';
import { type Attention, useAttention } from '../../api/attention.ts';
import { useAccounts, useDecide, useWaitingSchedules } from '../../api/sandbox.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Form, FormActions } from '../../ui/fields/form.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { useGranter } from './granter.ts';

/** Decides on a consent as a customer would, through the pages of the portal and the bank. */
export function PlayCustomer() {
  const waiting = useWaitingSchedules();
  const toConfirm = useAttention().data?.to_confirm ?? [];
  const banks = useAccounts();
  const decide = useDecide();
  const { data: decided, variables } = decide;
  return (
    <Card
      title="Play the customer"
      lead="Goes through the portal and the bank as your customer would, and accepts or declines a consent."
    >
      <div className="stack">
        {decided === undefined || decide.isPending ? null : (
          <Decided decided={decided} scheduleId={variables?.scheduleId ?? ''} />
        )}
        <QueryView query={waiting}>
          {(schedules) =>
            schedules.length + toConfirm.length === 0 ? (
              <Empty
                title="No consents awaiting a customer"
                action={<LinkButton to="/schedules/new">Create a schedule</LinkButton>}
              >
                A new schedule needs one, and so do new terms that exceed what the customer agreed
                to. Some banks want a customer to confirm one again.
              </Empty>
            ) : (
              <QueryView query={banks}>
                {(found) => (
                  <Decide
                    choices={[...schedules.map(choiceOf), ...toConfirm.map(confirmChoiceOf)]}
                    banks={found}
                    decide={decide}
                  />
                )}
              </QueryView>
            )
          }
        </QueryView>
      </div>
    </Card>
  );
}

/** A schedule, and what its customer is asked for. */
interface Choice {
  value: string;
  label: string;
}

interface DecideProps {
  choices: Choice[];
  banks: SandboxBank[];
  decide: ReturnType<typeof useDecide>;
}

/** Names what the customer is asked to agree to. */
function choiceOf({ id, description, shown }: ScheduleItem): Choice {
  const { amount, frequency_text: often } = shown.asked ?? shown.terms;
  const what = description === '' ? formatMoney(amount) : `${description}, ${formatMoney(amount)}`;
  return { value: id, label: `${what} ${often} (${shown.customer})` };
}

/** Names what the customer is asked to confirm again. */
function confirmChoiceOf({ schedule, customer }: Attention['to_confirm'][number]): Choice {
  const label = `${schedule.description} (${customer.label}), to confirm again`;
  return { value: schedule.id, label };
}

interface Played {
  scheduleId: string;
  bank_id: string;
  account: string;
  decision: string;
}

/** Preselects who granted the chosen schedule's consent, until somebody else is chosen for it. */
function usePreselected(form: UseFormReturn<Played>, banks: readonly SandboxBank[]): void {
  const scheduleId = form.watch('scheduleId');
  const granter = useGranter(scheduleId, banks);
  const { bank_id: isBankChosen, account: isAccountChosen } = form.formState.dirtyFields;
  const isChosen = isBankChosen === true || isAccountChosen === true;
  const [bankId, login] = [granter?.bankId, granter?.account.account];
  const { resetField, setValue } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another schedule has another customer
  useEffect(() => {
    resetField('bank_id');
    resetField('account');
  }, [scheduleId, resetField]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another schedule may have the same customer
  useEffect(() => {
    if (bankId === undefined || login === undefined || isChosen) return;
    setValue('bank_id', bankId);
    setValue('account', login);
  }, [bankId, login, scheduleId, setValue]);
}

function Decide({ choices, banks, decide }: DecideProps) {
  const [search] = useSearchParams();
  const asked = choices.find((one) => one.value === search.get('schedule')) ?? choices[0];
  const form = useForm<Played>({
    defaultValues: {
      scheduleId: asked?.value ?? '',
      bank_id: banks[0]?.bank_id ?? '',
      account: 'alex',
      decision: 'grant',
    },
  });
  usePreselected(form, banks);
  const [bankId, account] = form.watch(['bank_id', 'account']);
  const bank = banks.find((one) => one.bank_id === bankId);
  const persona = bank?.accounts.find((one) => one.account === account);
  const logins = new Map(bank?.accounts.map((one) => [one.account, one.holder]));
  const { isSubmitting } = form.formState;
  return (
    <Form
      form={form}
      onSubmit={({ decision, ...rest }) =>
        decide.mutateAsync({ ...rest, decision: decision === 'deny' ? 'deny' : 'grant' })
      }
      aliases={{ id: 'scheduleId' }}
    >
      <SelectField
        control={form.control}
        name="scheduleId"
        label="Schedule"
        isRequired
        options={choices}
      />
      <div className="form-row">
        <SelectField
          control={form.control}
          name="bank_id"
          label="Bank"
          {...(bank === undefined ? {} : { description: `${bank.summary}.` })}
          options={banks.map((one) => ({ value: one.bank_id, label: one.name }))}
        />
        <SelectField
          control={form.control}
          name="account"
          label="Customer at the bank"
          {...(persona === undefined ? {} : { description: `${persona.summary}.` })}
          options={[...logins].map(([login, holder]) => ({
            value: login,
            label: `${login} (${holder})`,
          }))}
        />
      </div>
      <SelectField
        control={form.control}
        name="decision"
        label="Customer’s decision"
        options={[
          { value: 'grant', label: 'Agrees' },
          { value: 'deny', label: 'Declines' },
        ]}
      />
      <FormActions>
        <Button type="submit" variant="primary" isPending={isSubmitting}>
          Submit the decision
        </Button>
      </FormActions>
    </Form>
  );
}

function Decided({ decided, scheduleId }: { decided: SandboxDecided; scheduleId: string }) {
  const { consent_status: consent, schedule_status: schedule, returned_to: where } = decided;
  const status = schedule.replaceAll('_', ' ');
  return (
    <Notice
      tone={consent === 'granted' ? 'success' : 'warning'}
      title={`Consent ${consent.replaceAll('_', ' ')}, schedule ${status}`}
    >
      <Link to={`/schedules/${scheduleId}`}>See the schedule</Link>.{' '}
      {where === null
        ? 'The customer finished on the portal’s last page.'
        : `The customer was sent back to ${new URL(where).host}.`}
    </Notice>
  );
}
