import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { ApiError } from '../../api/errors.ts';
import { meQuery, signIn } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './sign-in.module.css';

const route = getRouteApi('/sign-in');

/** Only addresses of this site, so that a link cannot lead away from it. */
const isOwnPath = (path: string | undefined): path is string => path !== undefined && /^\/dashboard(?:[/?]|$)/.test(path);

function SignInPage() {
  const { t } = useLingui();
  const router = useRouter();
  const queries = useQueryClient();
  const { return_to: returnTo } = route.useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);

  const attempt = useMutation({
    mutationFn: () => signIn({ email, password, ...(asksForCode && { code: code.replaceAll(' ', '') }) }),
    onSuccess: async () => {
      await queries.resetQueries({ queryKey: meQuery.queryKey });
      if (isOwnPath(returnTo)) router.history.push(returnTo);
      else await router.navigate({ to: '/' });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'second_factor_required') setAsksForCode(true);
    },
  });
  const failed = attempt.error !== null && !(attempt.error instanceof ApiError && attempt.error.code === 'second_factor_required');

  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <Page title={t`Sign in`} about={t`Messaging and engagement with an exact record.`}>
          <Form
            className={styles.form ?? ''}
            onSubmit={(event) => {
              event.preventDefault();
              attempt.mutate();
            }}
          >
            {failed && <ErrorNote message={messageOf(attempt.error, t)} />}
            <TextField label={t`Email`} type="email" name="email" autoComplete="username" value={email} onChange={setEmail} isRequired autoFocus />
            <TextField
              label={t`Password`}
              type="password"
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
              isRequired
            />
            {asksForCode && (
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
            )}
            <Button type="submit" look="primary" isPending={attempt.isPending}>
              <Trans>Sign in</Trans>
            </Button>
          </Form>
        </Page>
      </div>
    </main>
  );
}

type Translate = ReturnType<typeof useLingui>['t'];

function messageOf(error: Error | null, t: Translate): string {
  if (!(error instanceof ApiError)) return t`The service cannot be reached. Check your connection and try again.`;
  if (error.status !== 429) return error.message;
  const minutes = Math.ceil((error.retryAfter ?? 60) / 60);
  return t`Too many attempts. Try again in ${minutes} min.`;
}

export const page = createLazyRoute('/sign-in')({ component: SignInPage });
