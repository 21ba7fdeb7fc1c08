import { html } from '../../platform/values/html.ts';
import type { Paths } from '../paths.ts';
import { layout } from './layout.ts';
import { steps } from './parts.ts';

/**
 * Takes over the bank's response from the address: a script reads it after the `#`, which servers do not see, and posts it.
 * `answer` is a response in the query instead, or what is known of a journey from which nothing comes back; a button then works
 * without the script.
 */
export function callbackPage(paths: Paths, answer: string): string {
  const content = html`!${steps(1)}
<section class="card outcome">
<h1>Back from your bank</h1>
<form method="post" action="${paths.callback}">
<input type="hidden" name="fragment" value="${answer}">
!${answer === '' ? WAITING : html`<p>One step left.</p><button class="main">Finish</button>`}
</form>
<p data-empty hidden>We did not receive an answer from your bank. Open the link the business sent you to check the status.</p>
</section>`;
  return layout(paths, {
    title: 'Back from your bank',
    merchant: null,
    script: 'callback',
    content,
  });
}

const WAITING = `<p>Just a moment: we are checking your bank’s response.</p>
<noscript><p>We need JavaScript to read your bank’s response, and it is turned off in your browser. Please
turn it on for this site and reload the page. Until then nothing is agreed and nothing will be
collected.</p></noscript>`;
