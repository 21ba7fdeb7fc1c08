import type { Page } from 'playwright-core';
import { createOperator } from '../../server/src/operators/access/service.ts';
import { assertGood } from './account.ts';
import type { Site } from './dashboard.ts';
import { gone, press } from './look.ts';

/** An operator in a browser of their own, signed in to the console. */
export interface ConsoleVisitor {
  name: string;
  page: Page;
  open(path: string): Promise<void>;
  /** Answers the open dialog of a decision: its reason, and the button that decides. */
  decide(reason: string, label: string, name?: string): Promise<void>;
}

/** Makes an operator, and signs them in to the console with their key. */
export async function operatorOf(site: Site, name: string): Promise<ConsoleVisitor> {
  const { platform, operatorUrl } = site.service.running;
  const now = platform.clock.now();
  const { secret } = await platform.db.transaction((tx) =>
    createOperator({ platform, tx, now }, name, 'a test'),
  );
  const { page } = await site.stranger();
  const open = async (path: string): Promise<void> => {
    await page.goto(`${operatorUrl}/console${path}`);
    await page.locator('h1').first().waitFor();
  };
  await open('/sign-in');
  await page.getByLabel('Your operator’s key').fill(secret);
  await press(page, 'Sign in');
  await page.getByText(`Signed in as ${name}`).waitFor();
  return {
    name,
    page,
    open,
    async decide(reason, label, as) {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill(reason);
      if (as !== undefined) await assertGood(page, as);
      await press(dialog, label);
      await gone(dialog);
    },
  };
}
