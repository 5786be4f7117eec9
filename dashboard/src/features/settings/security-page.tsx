import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Sessions } from './sessions.tsx';
import styles from './settings.module.css';
import { TwoFactor } from './two-factor.tsx';

function SecurityPage() {
  const { t } = useLingui();
  return (
    <Page title={t`Security`} about={t`How you yourself sign in. Others on this account have settings of their own.`}>
      <div className={styles.page}>
        <Password />
        <TwoFactor />
        <Sessions />
      </div>
    </Page>
  );
}

function Password() {
  const { t } = useLingui();
  const email = useMe().user?.email;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => answer(api.POST('/v1/auth/password', { body: { current, new: next } })),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      toast({ message: t`Your password is changed. Your other browsers are signed out.` });
    },
  });
  const isWrong = change.error instanceof ApiError && change.error.code === 'invalid_credentials';
  const isAtFields = isWrong || (change.error instanceof ApiError && change.error.problems.length > 0);
  return (
    <Panel title={t`Password`}>
      <p className={styles.about}>
        <Trans>A change signs you out in all other browsers, and ends all tokens of programs that signed in as you.</Trans>
      </p>
      <Form
        className={`${styles.form} ${styles.narrow}`}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        {change.error && !isAtFields && <ErrorNote {...noteOf(change.error)} />}
        {/* Password managers read from it whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        <PasswordField
          label={t`Current password`}
          autoComplete="current-password"
          error={isWrong ? t`This is not your password.` : problemOf(change.error, 'current')}
          value={current}
          onChange={setCurrent}
          isRequired
        />
        <PasswordField
          label={t`New password`}
          autoComplete="new-password"
          error={problemOf(change.error, 'new')}
          value={next}
          onChange={setNext}
          isRequired
        />
        <div className={styles.actions}>
          <Button type="submit" isPending={change.isPending}>
            <Trans>Change the password</Trans>
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

export const page = createLazyRoute('/signed-in/settings/security')({ component: SecurityPage });
