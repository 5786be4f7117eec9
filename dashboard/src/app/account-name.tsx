import { useMe } from '../api/session.ts';
import styles from './shell.module.css';

/** The account, and who is signed in. */
export function AccountName() {
  const { account, user } = useMe();
  return (
    <span className={styles.account}>
      <strong>{account.name}</strong>
      <span>{user?.name ?? user?.email}</span>
    </span>
  );
}
