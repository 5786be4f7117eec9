import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './messages.module.css';
import { sandboxQuery } from './queries.ts';

/** What the sandbox was handed for one message, dispatch by dispatch. */
export function SandboxTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useInfiniteQuery(sandboxQuery({ message_id: id }));
  if (!data) return error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading />;
  const rows = data.pages.flatMap((page) => page.data);
  if (rows.length === 0) return <Empty title={<Trans>Nothing was handed over yet</Trans>} />;
  return (
    <div className={styles.parts}>
      <p className={styles.reason}>
        <Trans>As a recipient would have got it, with the links to unsubscribe. The sandbox reaches nobody.</Trans>
      </p>
      {rows.map((row) => (
        <Dispatch key={row.attempt} row={row} />
      ))}
    </div>
  );
}

/** One dispatch to the sandbox. */
export function Dispatch({ row }: { readonly row: Schemas['SandboxMessage'] }) {
  const { t } = useLingui();
  const { attempt, handed_over_at, subject, html, text, links, headers, from, from_name } = row;
  return (
    <section className={styles.parts}>
      <h2 className={styles.heading}>
        <Trans>
          Dispatch {attempt}, <Time value={handed_over_at} />
        </Trans>
      </h2>
      <DefinitionList
        items={[
          { term: t`From`, value: from === null ? null : from_name === null ? from : `${from_name} <${from}>` },
          { term: t`Subject`, value: subject },
          ...Object.entries(headers).map(([term, value]) => ({ term, value })),
        ].flatMap(({ term, value }) => (value === null ? [] : [{ term, value: <bdi className={styles.wrap}>{value}</bdi> }]))}
      />
      {html !== null && <MailFrame html={html} title={t`The mail as it was handed over`} />}
      {text !== '' && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      <Links links={links} />
    </section>
  );
}

/** The links of a message, to be tried. They open in a window of their own. */
function Links({ links }: { readonly links: readonly string[] }) {
  if (links.length === 0) return null;
  return (
    <>
      <h3>
        <Trans>Links to try</Trans>
      </h3>
      <ul className={styles.files}>
        {links.map((link) => (
          <li key={link}>
            {isWeb(link) ? (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {link}
              </a>
            ) : (
              <code>{link}</code>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const isWeb = (link: string): boolean => URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
