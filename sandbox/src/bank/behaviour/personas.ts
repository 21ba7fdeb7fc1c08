import type { BehaviourName } from './behaviours.ts';

/** Every persona signs in with its name and this PIN, at every bank. */
export const PIN = '1234';

interface PersonaAccount {
  accountNumber: string;
  nickname: string;
  balancePence: number;
  payday?: { dayOfMonth: number; amountPence: number };
}

/** A documented customer of the sandbox banks: the login name determines the behaviour. */
export interface Persona {
  login: string;
  holder: string;
  behaviour: BehaviourName;
  accounts: PersonaAccount[];
}

const MONTHLY_PAY = { dayOfMonth: 25, amountPence: 200_000 };

function current(
  accountNumber: string,
  balancePence: number,
  payday?: PersonaAccount['payday'],
): PersonaAccount {
  return { accountNumber, nickname: 'Current account', balancePence, ...(payday && { payday }) };
}

export const PERSONAS: readonly Persona[] = [
  {
    login: 'alex',
    holder: 'Alex Morgan',
    behaviour: 'normal',
    accounts: [
      current('10000011', 250_000, MONTHLY_PAY),
      { accountNumber: '10000012', nickname: 'Bills account', balancePence: 80_000 },
    ],
  },
  {
    login: 'sam',
    holder: 'Sam Okafor',
    behaviour: 'normal',
    accounts: [current('10000021', 1_000, { dayOfMonth: 2, amountPence: 120_000 })],
  },
  {
    login: 'nina',
    holder: 'Nina Kowalska',
    behaviour: 'normal',
    accounts: [current('10000031', 0)],
  },
  ...trouble('dora', 'Dora Whitfield', 'refuses_consent', '10000041'),
  ...trouble('rex', 'Rex Adeyemi', 'withdraws_after_first', '10000051'),
  ...trouble('cleo', 'Cleo Marsh', 'account_closed', '10000061'),
  ...trouble('sid', 'Sid Patel', 'slow', '10000071'),
  ...trouble('una', 'Una Gallagher', 'unreachable', '10000081'),
  ...trouble('uma', 'Uma Rahman', 'unanswered', '10000091'),
  ...trouble('otto', 'Otto Lindqvist', 'credited_next_day', '10000101'),
  ...trouble('vera', 'Vera Hughes', 'rejected_later', '10000111'),
  ...trouble('tina', 'Tina Costa', 'fails_first', '10000121'),
  ...trouble('rita', 'Rita Ferreira', 'asks_again_after_first', '10000131'),
];

/** Returns a customer with sufficient funds whose payments fail for another reason. */
function trouble(
  login: string,
  holder: string,
  behaviour: BehaviourName,
  accountNumber: string,
): Persona[] {
  return [{ login, holder, behaviour, accounts: [current(accountNumber, 250_000, MONTHLY_PAY)] }];
}

/** Finds the persona with a login name; ignores case and surrounding spaces. */
export function findPersona(login: string): Persona | undefined {
  return PERSONAS.find((persona) => persona.login === login.trim().toLowerCase());
}
