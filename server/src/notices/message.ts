import { isByText } from '../platform/state/notify.ts';
import { inline, serviceLogo } from './inline-logo.ts';
import type { NoticeKind } from './kinds.ts';
import { render } from './letter.ts';
import type { Email, InlineImage } from './mail.ts';
import type { Content } from './notify.ts';
import type { Setting } from './sentences.ts';
import { textOf } from './text-words.ts';
import type { TextMessage } from './texts.ts';
import { brandingOf, letterOf } from './words.ts';

/** What is sent of a notice. */
export type Message = { by: 'email'; email: Email } | { by: 'text'; text: TextMessage };

interface Parts {
  id: string;
  kind: NoticeKind;
  isToCustomer: boolean;
  content: Content;
  setting: Setting | undefined;
  image: InlineImage | undefined;
}

/** Returns the email or text message of a notice of a kind that is known here. */
export function messageOf({ id, kind, isToCustomer, content, setting, image }: Parts): Message {
  if (setting === undefined) throw new Error('a notice without its merchant');
  const { to, facts } = content;
  const { merchantName, merchantEmail } = setting;
  if (isByText(to)) {
    const text = textOf(kind, facts, setting);
    return { by: 'text', text: { id, to, sender: merchantName, text } };
  }
  const { brand } = setting;
  const logo = isToCustomer ? image : serviceLogo(brand);
  const look = inline(brandingOf(kind, setting), logo);
  const replyTo = isToCustomer && merchantEmail !== '' ? merchantEmail : brand.supportEmail;
  return {
    by: 'email',
    email: {
      id,
      to,
      ...render(letterOf(kind, facts, setting), look),
      ...(isToCustomer ? { fromName: merchantName } : {}),
      ...(replyTo === null ? {} : { replyTo }),
      ...(logo === undefined ? {} : { image: logo }),
    },
  };
}
