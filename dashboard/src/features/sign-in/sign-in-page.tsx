import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { signIn } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Screen, ScreenForm } from './screen.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/sign-in');

/** Where the application is. What follows it cannot lead to another site. */
const BASE = '/dashboard';

function SignInPage() {
  const { t } = useLingui();
  const router = useRouter();
  const queries = useQueryClient();
  const { return_to: returnTo } = route.useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Null until the service has asked for it. */
  const [code, setCode] = useState<string | null>(null);

  const attempt = useMutation({
    /** Whether it asks for a code. */
    async mutationFn(): Promise<boolean> {
      try {
        await signIn({ email, password, ...(code !== null && { code: code.replaceAll(/\s/g, '') }) });
        return false;
      } catch (error) {
        if (code === null && error instanceof ApiError && error.code === 'second_factor_required') return true;
        throw error;
      }
    },
    async onSuccess(asksForCode) {
      if (asksForCode) return setCode('');
      // Whoever was signed in before, nothing of theirs is shown.
      queries.clear();
      router.history.push(`${BASE}${returnTo ?? '/'}`);
    },
  });
  const submit = () => attempt.mutate();
  const startAgain = () => {
    setCode(null);
    setPassword('');
    attempt.reset();
  };

  if (code !== null)
    return (
      <Screen title={t`Enter your code`} about={email}>
        <ScreenForm error={attempt.error} refused={t`This code is not right, or was used already.`} onSubmit={submit}>
          <TextField
            label={t`Code`}
            name="code"
            autoComplete="one-time-code"
            hint={t`Six digits from your authenticator, or a recovery code.`}
            value={code}
            onChange={setCode}
            isRequired
            autoFocus
          />
          <Button type="submit" look="primary" isPending={attempt.isPending}>
            <Trans>Sign in</Trans>
          </Button>
          <Button look="quiet" onPress={startAgain}>
            <Trans>Sign in as someone else</Trans>
          </Button>
        </ScreenForm>
      </Screen>
    );

  return (
    <Screen
      title={t`Sign in`}
      about={returnTo ? t`You go on where you were.` : t`Messaging and engagement with an exact record.`}
      below={
        <a href="/docs">
          <Trans>Documentation</Trans>
        </a>
      }
    >
      <ScreenForm error={attempt.error} onSubmit={submit}>
        <TextField label={t`Email`} type="email" name="email" autoComplete="username" value={email} onChange={setEmail} isRequired autoFocus />
        <PasswordField label={t`Password`} name="password" autoComplete="current-password" value={password} onChange={setPassword} isRequired />
        <Button type="submit" look="primary" isPending={attempt.isPending}>
          <Trans>Sign in</Trans>
        </Button>
        <Link to="/forgot-password" className={styles.link ?? ''}>
          <Trans>Forgotten your password?</Trans>
        </Link>
      </ScreenForm>
    </Screen>
  );
}

export const page = createLazyRoute('/sign-in')({ component: SignInPage });
