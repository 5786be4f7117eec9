import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { noteOf } from '../../api/errors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { contactSegmentsQuery, explainSegmentQuery, segmentsQuery } from './queries.ts';
import { RuleTree } from './rule-tree.tsx';

interface SegmentsProps {
  readonly contact: Contact;
  readonly asOf: string | undefined;
}

/** The segments that the person is in, and those that it is not in; each says why. In the past each answers for itself. */
export function Segments({ contact, asOf }: SegmentsProps) {
  const { t } = useLingui();
  const all = useQuery(segmentsQuery);
  const own = useQuery(contactSegmentsQuery(contact.id));
  if (all.isPending || own.isPending) return <Loading rows={5} />;
  const error = all.error ?? own.error;
  if (!all.data || !own.data) return <ErrorNote {...noteOf(error)} />;
  if (all.data.data.length === 0)
    return (
      <Empty
        title={<Trans>No segments yet</Trans>}
        actions={
          <a href="/docs/guides/segments">
            <Trans>Guide: segments</Trans>
          </a>
        }
      >
        <Trans>A segment is a rule. Everybody for whom it holds is in it, at once and for as long as it holds.</Trans>
      </Empty>
    );
  const ids = new Set(own.data.data.map(({ id }) => id));
  const isIn = ({ id }: { readonly id: string }): boolean => ids.has(id);
  const row = (segment: { readonly id: string; readonly name: string }) => (
    <SegmentRow key={segment.id} segment={segment} contact={contact} asOf={asOf} />
  );
  if (asOf !== undefined)
    return (
      <Panel title={t`Segments`}>
        <ul className={styles.rows}>{all.data.data.map(row)}</ul>
      </Panel>
    );
  const others = all.data.data.filter((segment) => !isIn(segment));
  return (
    <div className={styles.stack}>
      <Panel title={t`In these segments`}>
        {own.data.data.length === 0 ? (
          <p className={styles.muted}>
            <Trans>In no segment.</Trans>
          </p>
        ) : (
          <ul className={styles.rows}>{own.data.data.map(row)}</ul>
        )}
      </Panel>
      {others.length > 0 && (
        <Panel title={t`Not in these`}>
          <ul className={styles.rows}>{others.map(row)}</ul>
        </Panel>
      )}
    </div>
  );
}

interface SegmentRowProps extends SegmentsProps {
  readonly segment: { readonly id: string; readonly name: string };
}

function SegmentRow({ segment: { id, name }, contact, asOf }: SegmentRowProps) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <Link to="/people/segments/$id" params={{ id }} className={styles.words ?? ''}>
        <bdi>{name}</bdi>
      </Link>
      <Button size="small" look="quiet" aria-label={t`Why: ${name}`} aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
        <Trans>Why</Trans>
      </Button>
      {isOpen && (
        <div className={styles.wide}>
          <Explanation segment={id} contact={contact.id} asOf={asOf} />
        </div>
      )}
    </li>
  );
}

function Explanation({ segment, contact, asOf }: { readonly segment: string; readonly contact: string; readonly asOf: string | undefined }) {
  const why = useQuery(explainSegmentQuery(segment, contact, asOf));
  if (why.isPending) return <Loading rows={2} />;
  if (!why.data) return <ErrorNote {...noteOf(why.error)} onRetry={() => void why.refetch()} />;
  const { is_member, explanation } = why.data;
  return (
    <div className={styles.stack}>
      <p>
        <Badge tone={is_member ? 'success' : 'neutral'}>{is_member ? <Trans>In the segment</Trans> : <Trans>Not in the segment</Trans>}</Badge>
      </p>
      {explanation ? (
        <RuleTree rule={explanation} />
      ) : (
        <p className={styles.muted}>
          <Trans>There was no such segment then.</Trans>
        </p>
      )}
    </div>
  );
}
