import { html } from 'ghtml';
import type { Paths } from '../paths.ts';
import { layout } from './layout.ts';
import { steps } from './parts.ts';

/**
 * Takes over what the bank put into the address: a script reads it from behind the `#`, where no server
 * sees it, and posts it. `answer` is what came in the query instead; then a button does without the script.
 */
export function callbackPage(paths: Paths, answer: string): string {
  const content = html`!${steps(1)}
<section class="card outcome">
<h1>Back from your bank</h1>
<form method="post" action="${paths.callback}">
<input type="hidden" name="fragment" value="${answer}">
!${answer === '' ? WAITING : html`<p>One step is left.</p><button class="main">Finish</button>`}
</form>
<p data-empty hidden>There is no answer of a bank in this address. Open the link that the business sent you
to see how things stand.</p>
</section>`;
  return layout(paths, { title: 'Back from your bank', merchantName: null, script: true, content });
}

const WAITING = `<p>Just a moment: your bank’s answer is being checked.</p>
<noscript><p>Banks put their answer where only a script on this page can read it, and scripts are turned off
in your browser. Please turn them on for this site and reload the page. Nothing has been agreed until
then, and nothing is collected.</p></noscript>`;
