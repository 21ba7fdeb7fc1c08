import '../frame/settings.css';
import { useMe } from '../../../app/session.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { SettingsNav } from '../frame/settings-nav.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** /settings/security */
export function SecurityPage() {
  const { user, uses_sso } = useMe();
  return (
    <Page
      title="Your security"
      lead={`How ${user.email} signs in, for every merchant you work with.`}
    >
      <SettingsNav />
      {uses_sso ? (
        <Notice tone="info" title="You signed in with your company’s account">
          Your company’s sign-in protects it. To change the password, two-factor or passkeys of your
          account here, sign out and sign in with your password.
        </Notice>
      ) : (
        <>
          <div className="columns">
            <TwoFactorCard />
            <PasskeysCard />
          </div>
          <SessionsCard />
          <PasswordCard />
        </>
      )}
    </Page>
  );
}
