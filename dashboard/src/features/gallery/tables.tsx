import { useState } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable, type Sort } from '../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../ui/filter-bar.tsx';
import { Panel } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import styles from './gallery.module.css';

interface Row {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly status: string;
  readonly tone: Tone;
  readonly attempts: number;
}

const states: readonly [string, Tone][] = [
  ['delivered', 'success'],
  ['queued', 'neutral'],
  ['sending', 'info'],
  ['deferred', 'warning'],
  ['bounced', 'danger'],
];
const people = ['ada@example.com', 'José Ángel Fernández de la Peña y Martínez-Campos <jose@example.com>', 'ليلى حسن', '+4915112345678'];

const rowsFrom = (start: number, count: number): Row[] =>
  Array.from({ length: count }, (_, i) => {
    const n = start + i;
    const [status, tone] = states[Math.abs(n) % states.length] ?? ['queued', 'neutral'];
    return {
      id: `msg_${n}`,
      to: people[Math.abs(n) % people.length] ?? '',
      text: `Your order ${1000 + n} is on its way`,
      status,
      tone,
      attempts: n % 7,
    };
  });

const columns: readonly Column<Row>[] = [
  { key: 'to', header: 'To', cell: ({ to }) => <bdi>{to}</bdi>, canSort: true },
  { key: 'status', header: 'Status', cell: ({ status, tone }) => <Badge tone={tone}>{status}</Badge>, width: '8rem' },
  { key: 'text', header: 'Message', cell: ({ text }) => text, secondary: true, width: 'minmax(12rem, 2fr)' },
  { key: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts, align: 'end', width: '6rem', secondary: true, canSort: true },
];

const filters: readonly Filter[] = [
  { key: 'status', label: 'Status', kind: 'choice', options: states.map(([value]) => ({ value, label: value })) },
  { key: 'to', label: 'To', kind: 'text' },
  { key: 'created_after', label: 'Created after', kind: 'time' },
  { key: 'created_before', label: 'Created before', kind: 'time' },
];

export function Tables() {
  const [values, setValues] = useState<Record<string, string | undefined>>({ status: 'delivered', created_after: '2026-05-03T08:00:00.000Z' });
  const [rows, setRows] = useState(() => rowsFrom(0, 50));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['msg_1']));
  const [sort, setSort] = useState<Sort>({ key: 'to', descending: true });
  return (
    <>
      <Panel title="An empty table">
        <DataTable label="Messages" columns={columns} rows={[]} rowKey={({ id }) => id} empty={<Empty title="No messages match" />} />
      </Panel>
      <h2>A table of 10,000 rows</h2>
      <div className={styles.line}>
        <Button onPress={() => setTimeout(() => setRows((before) => [...rowsFrom(-before.length, 1), ...before]), 2_000)}>
          A new row in two seconds
        </Button>
      </div>
      <FilterBar filters={filters} values={values} onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))} />
      <DataTable
        label="Messages"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => `/gallery?message=${id}`}
        hasMore={rows.length < 10_000}
        onEndReached={() => setRows((before) => [...before, ...rowsFrom(before.length, 50)])}
        selected={selected}
        onSelect={setSelected}
        sort={sort}
        onSort={setSort}
        empty={null}
      />
    </>
  );
}
