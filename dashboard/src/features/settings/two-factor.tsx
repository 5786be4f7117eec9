import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf } from '../../api/errors.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

type Prepared = Schemas['PreparedSecondFactor'];

/** A code at each sign-in: setting it up, its recovery codes, and turning it off. */
export function TwoFactor() {
  const { t } = useLingui();
  const isOn = useMe().user?.two_factor ?? false;
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  /** Shown once the factor is on: until then they open nothing. */
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isTurningOff, setIsTurningOff] = useState(false);
  const prepare = useMutation({
    mutationFn: () => answer(api.POST('/v1/auth/totp')),
    onSuccess: setPrepared,
  });

  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  return (
    <Panel title={t`Two-factor authentication`} actions={isOn ? <Badge tone="success">{t`On`}</Badge> : <Badge>{t`Off`}</Badge>}>
      <p className={styles.about}>
        <Trans>With it a sign-in also needs a code from an app on your phone: a stolen password alone is not enough.</Trans>
      </p>
      {prepare.error && <ErrorNote {...noteOf(prepare.error)} />}
      {prepared && (
        <SetUp
          prepared={prepared}
          onCancel={() => setPrepared(null)}
          onOn={() => {
            setPrepared(null);
            setCodes(prepared.recovery_codes);
          }}
        />
      )}
      {!prepared && (
        <div className={styles.actions}>
          {isOn ? (
            <Button look="danger" onPress={() => setIsTurningOff(true)}>
              <Trans>Turn off</Trans>
            </Button>
          ) : (
            <Button onPress={() => prepare.mutate()} isPending={prepare.isPending}>
              <Trans>Set up</Trans>
            </Button>
          )}
        </div>
      )}
      <TurnOffDialog isOpen={isTurningOff} onClose={() => setIsTurningOff(false)} />
    </Panel>
  );
}

interface SetUpProps {
  readonly prepared: Prepared;
  readonly onOn: () => void;
  readonly onCancel: () => void;
}

function SetUp({ prepared: { secret, uri }, onOn, onCancel }: SetUpProps) {
  const { t } = useLingui();
  const renew = useRenewedMe();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => answer(api.POST('/v1/auth/totp/confirm', { body: { code: code.replaceAll(/\s/g, '') } })),
    onSuccess: async () => {
      onOn();
      await renew();
    },
  });
  const isWrong = confirm.error instanceof ApiError && confirm.error.code === 'invalid_credentials';
  return (
    <div className={styles.setUp}>
      <QrCode text={uri} label={t`QR code of the secret`} />
      <Form
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate();
        }}
      >
        <p>
          <Trans>
            Scan this with an authenticator app, <a href={uri}>open it in the app</a> of this device, or type the secret. Then enter the code that it
            shows.
          </Trans>
        </p>
        <Code text={secret} label={t`Secret`} />
        {confirm.error && !isWrong && <ErrorNote {...noteOf(confirm.error)} />}
        <TextField
          label={t`Code`}
          inputMode="numeric"
          autoComplete="one-time-code"
          error={isWrong ? t`This code is not right. Is the clock of the phone?` : undefined}
          value={code}
          onChange={setCode}
          isRequired
          autoFocus
        />
        <div className={styles.actions}>
          <Button type="submit" look="primary" isPending={confirm.isPending}>
            <Trans>Turn on</Trans>
          </Button>
          <Button look="quiet" onPress={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </Form>
    </div>
  );
}

function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const { t } = useLingui();
  const text = codes.join('\n');
  return (
    <SecretOnce
      title={t`Recovery codes`}
      label={t`Recovery codes`}
      text={text}
      onDone={onDone}
      actions={
        <Button onPress={() => download('heliograph-recovery-codes.txt', `${text}\n`)}>
          <Trans>Download</Trans>
        </Button>
      }
    >
      <Trans>Two-factor authentication is on. Each of these opens the account once when the phone is lost. They are not shown again.</Trans>
    </SecretOnce>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function TurnOffDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  const renew = useRenewedMe();
  const [password, setPassword] = useState('');
  const close = (): void => {
    setPassword('');
    turnOff.reset();
    onClose();
  };
  const turnOff = useMutation({
    mutationFn: () => answer(api.DELETE('/v1/auth/totp', { body: { password } })),
    onSuccess: async () => {
      close();
      toast({ message: t`Two-factor authentication is off.` });
      await renew();
    },
  });
  const isWrong = turnOff.error instanceof ApiError && turnOff.error.code === 'invalid_credentials';
  return (
    <ConfirmDialog
      title={t`Turn two-factor authentication off`}
      isOpen={isOpen}
      onClose={close}
      confirmLabel={t`Turn off`}
      onConfirm={() => turnOff.mutate()}
      isPending={turnOff.isPending}
      {...(turnOff.error && { error: isWrong ? t`This is not your password.` : noteOf(turnOff.error).message })}
    >
      <div className={styles.form}>
        <p>
          <Trans>Then your password alone opens the account. The recovery codes end, too.</Trans>
        </p>
        <PasswordField label={t`Password`} autoComplete="current-password" value={password} onChange={setPassword} isRequired />
      </div>
    </ConfirmDialog>
  );
}

/** Loads again who is signed in, with what the pages read from it. */
function useRenewedMe(): () => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return async () => {
    await queries.refetchQueries({ queryKey: meQuery.queryKey });
    await router.invalidate();
  };
}
