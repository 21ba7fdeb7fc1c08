import type { ReactNode } from 'react';
import { Can, useMe } from '../../app/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Check } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import type { FirstStep } from './figures.ts';

type Step = Exclude<FirstStep, null>;
const ORDER: readonly Step[] = ['create', 'agree', 'move_clock'];

interface Words {
  step: Step;
  title: string;
  text: ReactNode;
  action: ReactNode;
}

/** Guides a new merchant to the first collection. */
export function GetStarted({ step }: { step: Step }) {
  const { mode } = useMe();
  const now = ORDER.indexOf(step);
  const steps = mode === 'sandbox' ? sandboxSteps() : liveSteps();
  return (
    <Card title="Your first collection in three steps">
      <ol className="first-steps">
        {steps.map((words, index) => (
          <li
            key={words.step}
            className={index < now ? 'is-done' : index === now ? 'is-now' : 'is-ahead'}
            aria-current={index === now ? 'step' : undefined}
          >
            <span className="step-mark" aria-hidden="true">
              {index < now ? <Check /> : index + 1}
            </span>
            <div>
              <h3>
                {words.title}
                {index < now ? <span className="visually-hidden"> (done)</span> : null}
              </h3>
              <p className="quiet">{words.text}</p>
              {index === now ? words.action : null}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const CREATE: Words = {
  step: 'create',
  title: 'Create a schedule',
  text: 'Choose how much to collect, how often, and from whom. The form previews the dates as you type.',
  action: (
    <Can do="manage_schedules" otherwise={<p>Ask a colleague who can create schedules.</p>}>
      <LinkButton variant="primary" to="/schedules/new">
        Create a schedule
      </LinkButton>
    </Can>
  ),
};

const TO_WAITING = (
  <LinkButton variant="primary" to="/schedules?status=pending_consent">
    Open the schedule
  </LinkButton>
);

function sandboxSteps(): Words[] {
  return [
    CREATE,
    {
      step: 'agree',
      title: 'Get the customer’s consent',
      text: (
        <>
          Open the consent link as your customer would, choose a bank, and log in there as{' '}
          <code>alex</code> with the PIN <code>1234</code>. Or press “Play the customer”.
        </>
      ),
      action: TO_WAITING,
    },
    {
      step: 'move_clock',
      title: 'Move the clock',
      text: 'You control time in the sandbox: go to the next collection and watch the money arrive.',
      action: (
        <Can do="use_sandbox" otherwise={<p>Ask a colleague who can move the sandbox clock.</p>}>
          <LinkButton variant="primary" to="/sandbox">
            Open the sandbox
          </LinkButton>
        </Can>
      ),
    },
  ];
}

function liveSteps(): Words[] {
  return [
    CREATE,
    {
      step: 'agree',
      title: 'Get the customer’s consent',
      text: 'Send the consent link, or show it as a QR code. The customer agrees in their own bank’s app.',
      action: TO_WAITING,
    },
    {
      step: 'move_clock',
      title: 'Wait for the first collection',
      text: 'We collect it automatically on its due date and pay it into your bank account the next business day.',
      action: (
        <LinkButton variant="primary" to="/schedules?status=active">
          See when it is due
        </LinkButton>
      ),
    },
  ];
}
