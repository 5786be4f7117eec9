import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { hasStatus, problemOf } from '../../api/errors.ts';
import { acceptInvitation, signIn } from '../../api/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Screen, ScreenForm } from './screen.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/invitation/$token');

function InvitationPage() {
  const { t } = useLingui();
  const { token } = route.useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: async () => {
      const { email } = await acceptInvitation(token, { password, ...(name !== '' && { name }) });
      await signIn({ email, password });
    },
    onSuccess: async () => {
      queries.clear();
      await navigate({ to: '/' });
    },
  });

  if (hasStatus(accept.error, 404) || hasStatus(accept.error, 410))
    return (
      <Screen title={t`This invitation no longer works`}>
        <div role="alert" className={styles.form}>
          <p>
            <Trans>It was accepted, withdrawn, or is too old. Ask whoever invited you for a new one.</Trans>
          </p>
          <ButtonLink to="/sign-in" look="primary">
            <Trans>Sign in</Trans>
          </ButtonLink>
        </div>
      </Screen>
    );

  return (
    <Screen title={t`Welcome`} about={t`You were invited. Choose a password, and you are in.`}>
      <ScreenForm error={accept.error} onSubmit={() => accept.mutate()}>
        <TextField
          label={t`Your name`}
          name="name"
          autoComplete="name"
          error={problemOf(accept.error, 'name')}
          value={name}
          onChange={setName}
          autoFocus
        />
        <PasswordField
          label={t`Password`}
          name="password"
          autoComplete="new-password"
          hint={t`A sentence is easier to remember than signs, and harder to guess.`}
          error={problemOf(accept.error, 'password')}
          value={password}
          onChange={setPassword}
          isRequired
        />
        <Button type="submit" look="primary" isPending={accept.isPending}>
          <Trans>Accept the invitation</Trans>
        </Button>
      </ScreenForm>
    </Screen>
  );
}

export const page = createLazyRoute('/invitation/$token')({ component: InvitationPage });
