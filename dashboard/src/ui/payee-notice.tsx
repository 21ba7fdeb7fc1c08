import type { PayeeCheck } from '@recollect/sdk';
import { Button } from './button.tsx';
import { Notice, type NoticeTone } from './notice.tsx';

const REASONS: Readonly<Record<NonNullable<PayeeCheck['reason']>, string>> = {
  no_such_account: 'The bank has no such account.',
  personal_account: 'The bank says that it is a personal account.',
  account_switched: 'The account was switched to another bank. Ask for its new details.',
  roll_number_needed: 'This account needs a roll number.',
  bank_takes_no_part: 'This bank does not check names.',
  no_answer: 'The bank did not answer in time.',
  not_offered: 'The e-money issuer does not check names.',
  no_wallet_yet: 'The wallet that pays out is not open yet.',
  too_many_checks: 'Too many names were checked within a day.',
};

const WORDS: Readonly<
  Record<PayeeCheck['result'], { tone: NoticeTone; title: string; text: string }>
> = {
  match: { tone: 'success', title: 'The bank confirms the name', text: '' },
  close_match: {
    tone: 'warning',
    title: 'The name is a close match',
    text: 'The bank has a similar name.',
  },
  no_match: {
    tone: 'danger',
    title: 'The name does not match',
    text: 'The bank says that this is not the name on the account. Find out why before any money goes there.',
  },
  unavailable: {
    tone: 'info',
    title: 'The name could not be checked',
    text: 'You can continue, but check every digit first.',
  },
};

interface PayeeNoticeProps {
  /** Null: it was not checked, and nothing is shown. */
  check: PayeeCheck | null;
  /** Takes over the name that the bank has; absent: it is too late for that. */
  onUseName?: (name: string) => void;
  isBusy?: boolean;
}

/** What the bank said of the name on an account. */
export function PayeeNotice({ check, onUseName, isBusy = false }: PayeeNoticeProps) {
  if (check === null) return null;
  const { result, reason, bank_name } = check;
  const { tone, title, text } = WORDS[result];
  const said = bank_name === null ? text : `The bank says: ${bank_name}.`;
  const lines = [reason === null ? '' : REASONS[reason], said].filter((line) => line !== '');
  if (bank_name === null || onUseName === undefined)
    return (
      <Notice tone={reason !== null && tone === 'success' ? 'warning' : tone} title={title}>
        {lines.join(' ')}
      </Notice>
    );
  return (
    <Notice
      tone={tone}
      title={title}
      action={
        <Button size="small" isPending={isBusy} onPress={() => onUseName(bank_name)}>
          Use this name
        </Button>
      }
    >
      {lines.join(' ')} Use this name?
    </Notice>
  );
}
