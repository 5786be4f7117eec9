import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './consent.module.css';
import { addressHistoryQuery } from './queries.ts';
import { channelWords, historyWords, reasonWords, scopeWords } from './words.ts';

/** What happened to an address on the do-not-contact list, whoever has it. */
export function AddressPart({ address }: { readonly address: string }) {
  const { t } = useLingui();
  return (
    <Panel
      title={t`History of the address`}
      actions={
        <ButtonLink to="/consent/suppressions" search={{ address }} size="small">
          <Trans>Its entries on the do-not-contact list</Trans>
        </ButtonLink>
      }
    >
      <AddressHistory address={address} />
    </Panel>
  );
}

/** Suppressions of an address and what lifted them, with the proofs. */
export function AddressHistory({ address }: { readonly address: string }) {
  const { i18n } = useLingui();
  const list = useInfiniteQuery(addressHistoryQuery(address));
  if (!list.data) return list.error ? <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} /> : <Loading />;
  const items = list.data.pages.flatMap(({ data }) => data);
  if (items.length === 0) {
    return (
      <p>
        <Trans>
          <bdi>{address}</bdi> was never on the do-not-contact list.
        </Trans>
      </p>
    );
  }
  return (
    <>
      <Timeline
        entries={items.map((item, index) => ({
          key: `${index} ${item.at}`,
          at: item.at,
          title: `${i18n._(historyWords[item.event])} · ${i18n._(channelWords[item.channel])}`,
          detail: <Detail item={item} />,
          tone: item.event === 'lifted' ? 'success' : 'danger',
          more: <JsonView value={item} />,
        }))}
      />
      {list.hasNextPage && (
        <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetchingNextPage}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  );
}

function Detail({ item: { reasons, scope, source, because, proof } }: { readonly item: Schemas['SuppressionHistoryItem'] }) {
  const { i18n } = useLingui();
  const words = [...reasons.map((reason) => i18n._(reasonWords[reason])), scope && i18n._(scopeWords[scope]), source].filter(Boolean).join(' · ');
  return (
    <div className={styles.parts}>
      <bdi>{words}</bdi>
      {because !== undefined && <bdi>{because}</bdi>}
      {proof && (
        <blockquote className={styles.quote} dir="auto">
          {proof}
        </blockquote>
      )}
    </div>
  );
}
