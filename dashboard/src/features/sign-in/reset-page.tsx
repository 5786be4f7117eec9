import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { hasStatus, problemOf } from '../../api/errors.ts';
import { resetPassword } from '../../api/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Screen, ScreenForm } from './screen.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/reset/$token');

function ResetPage() {
  const { t } = useLingui();
  const { token } = route.useParams();
  const [password, setPassword] = useState('');
  const reset = useMutation({ mutationFn: () => resetPassword(token, password) });

  if (reset.isSuccess)
    return (
      <Screen title={t`Your password is changed`}>
        <div role="status" className={styles.form}>
          <p>
            <Trans>All browsers and programs that were signed in as you are signed out.</Trans>
          </p>
          <ButtonLink to="/sign-in" look="primary">
            <Trans>Sign in</Trans>
          </ButtonLink>
        </div>
      </Screen>
    );

  if (hasStatus(reset.error, 404) || hasStatus(reset.error, 410))
    return (
      <Screen title={t`This link no longer works`}>
        <div role="alert" className={styles.form}>
          <p>
            <Trans>It was used, is older than an hour, or is cut short.</Trans>
          </p>
          <ButtonLink to="/forgot-password" look="primary">
            <Trans>Ask for a new one</Trans>
          </ButtonLink>
        </div>
      </Screen>
    );

  return (
    <Screen title={t`Choose a new password`}>
      <ScreenForm error={reset.error} onSubmit={() => reset.mutate()}>
        <PasswordField
          label={t`New password`}
          name="password"
          autoComplete="new-password"
          hint={t`A sentence is easier to remember than signs, and harder to guess.`}
          error={problemOf(reset.error, 'password')}
          value={password}
          onChange={setPassword}
          isRequired
          autoFocus
        />
        <Button type="submit" look="primary" isPending={reset.isPending}>
          <Trans>Change the password</Trans>
        </Button>
      </ScreenForm>
    </Screen>
  );
}

export const page = createLazyRoute('/reset/$token')({ component: ResetPage });
