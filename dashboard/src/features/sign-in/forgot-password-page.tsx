import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestPasswordReset } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Screen, ScreenForm } from './screen.tsx';
import styles from './sign-in.module.css';

function ForgotPasswordPage() {
  const { t } = useLingui();
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: () => requestPasswordReset(email) });
  const back = (
    <Link to="/sign-in" className={styles.link ?? ''}>
      <Trans>Back to the sign-in</Trans>
    </Link>
  );

  if (request.isSuccess)
    return (
      <Screen title={t`Look into your mail`} below={back}>
        <div role="status" className={styles.form}>
          <p>
            <Trans>
              If <strong>{email}</strong> belongs to a user, a link is on its way. It works once, for an hour.
            </Trans>
          </p>
          <p className={styles.muted}>
            <Trans>Nothing after some minutes? Look among the junk mail, or ask whoever runs this service for a link.</Trans>
          </p>
        </div>
      </Screen>
    );

  return (
    <Screen title={t`Forgotten your password?`} about={t`We send you a link with which you choose a new one.`} below={back}>
      <ScreenForm error={request.error} onSubmit={() => request.mutate()}>
        <TextField label={t`Email`} type="email" name="email" autoComplete="username" value={email} onChange={setEmail} isRequired autoFocus />
        <Button type="submit" look="primary" isPending={request.isPending}>
          <Trans>Send the link</Trans>
        </Button>
      </ScreenForm>
    </Screen>
  );
}

export const page = createLazyRoute('/forgot-password')({ component: ForgotPasswordPage });
