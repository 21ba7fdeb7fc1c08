import { BEHAVIOURS } from '../behaviour/behaviours.ts';
import type { Brand } from '../behaviour/brands.ts';
import { PERSONAS, type Persona, PIN } from '../behaviour/personas.ts';
import { poundsOf } from '../wire/money.ts';
import { html } from './html.ts';
import { brandBar, icon, notice, page } from './layout.ts';

interface SignIn {
  action: string;
  title: string;
  lead: string;
  /** The login entered before, if signing in failed. */
  login?: string;
  problem?: string;
}

/** Renders sign-in with a persona and the PIN; the documented personas are listed below the form. */
export function signInPage(brand: Brand, signIn: SignIn): string {
  const content = html`
<div class="intro">
  <h1>${signIn.title}</h1>
  <p>${signIn.lead}</p>
</div>
<form class="card stack" method="post" action="${signIn.action}">
  !${signIn.problem ? notice('problem', signIn.problem) : ''}
  <label>Customer name
    <input name="persona" autocomplete="username" autocapitalize="none" spellcheck="false"
      value="${signIn.login ?? ''}" placeholder="alex" required>
  </label>
  <label>PIN
    <input name="pin" type="password" inputmode="numeric" autocomplete="current-password"
      maxlength="8" placeholder="••••" required>
  </label>
  <button class="primary">!${icon('lock')}Log in</button>
</form>
<details class="personas">
  <summary>Sandbox: who can log in?</summary>
  <p>Every PIN is <b>${PIN}</b>. What happens depends on who you are:</p>
  <dl>!${PERSONAS.map(personaLine).join('')}</dl>
</details>`;
  return page(brand, { title: signIn.title, bar: brandBar(brand), content });
}

function personaLine(persona: Persona): string {
  return html`<dt>${persona.login}</dt><dd>${personaWords(persona)}</dd>`;
}

function personaWords(persona: Persona): string {
  if (persona.behaviour !== 'normal') return BEHAVIOURS[persona.behaviour].summary;
  const [account] = persona.accounts;
  if (!account) return '';
  const pay = account.payday;
  const payday = pay ? `, paid ${poundsOf(pay.amountPence)} on the ${ordinal(pay.dayOfMonth)}` : '';
  return `Has ${poundsOf(account.balancePence)}${payday}`;
}

function ordinal(day: number): string {
  const suffix = { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10];
  return `${day}${(day < 11 || day > 13) && suffix ? suffix : 'th'}`;
}
