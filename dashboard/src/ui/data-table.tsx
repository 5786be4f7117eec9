// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the rows, and on what the cells of the header hold
import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type ReactNode, useId, useRef } from 'react';
import styles from './data-table.module.css';
import { linkTo } from './links.ts';
import { type RowKeys, useRowKeys } from './row-keys.ts';
import { useRowWindow } from './row-window.ts';
import { useSteadyRows } from './steady-rows.ts';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** A track of the CSS grid; `minmax(8rem, 1fr)` if not given. */
  readonly width?: string;
  readonly align?: 'end';
  /** Left out where the table is narrow. */
  readonly secondary?: boolean;
  /** Whether the API can sort by it. */
  readonly canSort?: boolean;
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

export interface DataTableProps<T> {
  /** What the rows are, for who cannot see the heading above. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** An address below `/dashboard`, to which the whole row is a link. */
  readonly href?: (row: T) => string;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  /** Called when the last rows come into sight and there are more. */
  readonly onEndReached?: () => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (keys: ReadonlySet<string>) => void;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/**
 * A table of any length: only the rows in sight are in the document. Arrows or `j` and `k` move between rows, Enter opens one, Space selects it,
 * with Shift up to the last one selected.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rowKey, href, hasMore = false, isLoadingMore = false, selected, onSelect, empty } = props;
  const { t } = useLingui();
  const navigate = useNavigate();
  const body = useRef<HTMLDivElement>(null);
  const { rows, ...pointer } = useSteadyRows(props.rows, rowKey);
  const keys = useRowKeys({
    keys: rows.map(rowKey),
    body,
    selected,
    onSelect,
    onOpen: (index) => {
      const row = rows[index];
      if (row !== undefined && href) void navigate(linkTo(href(row)));
    },
  });
  const inSight = useRowWindow({ count: rows.length, keyOf: (index) => keys.all[index] ?? index, kept: keys.activeIndex, body, ...props });
  if (rows.length === 0 && !hasMore && !isLoadingMore) return <>{empty}</>;

  return (
    <div className={styles.frame} style={tracksOf(columns, onSelect !== undefined)}>
      <div role="grid" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1} aria-multiselectable={onSelect ? true : undefined}>
        <div role="rowgroup" className={styles.head}>
          <div role="row" aria-rowindex={1} className={styles.row}>
            {onSelect && (
              <div role="columnheader" className={styles.box}>
                <SelectAll keys={keys.all} selected={selected} onSelect={onSelect} />
              </div>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} {...props} />
            ))}
          </div>
        </div>
        <div ref={body} role="rowgroup" className={styles.body} style={{ height: inSight.height }} onKeyDown={keys.onKeyDown} {...pointer}>
          {inSight.items.map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <Row key={keys.all[index]} row={row} index={index} start={start} measure={inSight.measure} keys={keys} {...props} />
              )
            );
          })}
        </div>
      </div>
      {isLoadingMore && (
        <p role="status" className={styles.more}>
          {t`Loading more`}
        </p>
      )}
    </div>
  );
}

/** The tracks of all rows, also for a narrow table, as properties that the style sheet chooses from. */
function tracksOf<T>(columns: readonly Column<T>[], hasBoxes: boolean): CSSProperties {
  const tracks = (shown: readonly Column<T>[], usual: string): string =>
    [...(hasBoxes ? ['2.5rem'] : []), ...shown.map(({ width }) => width ?? usual)].join(' ');
  const narrow = columns.filter(({ secondary }) => !secondary);
  return { '--tracks': tracks(columns, 'minmax(8rem, 1fr)'), '--tracks-narrow': tracks(narrow, 'minmax(0, 1fr)') } as CSSProperties;
}

const cellClass = ({ align, secondary }: Pick<Column<never>, 'align' | 'secondary'>): string =>
  [styles.cell, align && styles.end, secondary && styles.secondary].filter(Boolean).join(' ');

function HeaderCell<T>({ column, sort, onSort }: { readonly column: Column<T> } & Pick<DataTableProps<T>, 'sort' | 'onSort'>) {
  const { key, header, canSort } = column;
  const isSorted = sort?.key === key;
  const direction = isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none';
  return (
    <div role="columnheader" aria-sort={canSort && onSort ? direction : undefined} className={cellClass(column)}>
      {canSort && onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort({ key, descending: isSorted ? !sort.descending : false })}>
          {header}
          {isSorted && (sort.descending ? <ArrowDown aria-hidden size={14} /> : <ArrowUp aria-hidden size={14} />)}
        </button>
      ) : (
        header
      )}
    </div>
  );
}

interface RowProps<T> extends Pick<DataTableProps<T>, 'columns' | 'href' | 'selected' | 'onSelect'> {
  readonly row: T;
  readonly index: number;
  /** Pixels from the top of the body. */
  readonly start: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly keys: RowKeys;
}

function Row<T>({ row, index, start, measure, keys, columns, href, selected, onSelect }: RowProps<T>) {
  const { t } = useLingui();
  const id = useId();
  const key = keys.all[index] ?? '';
  const isSelected = selected?.has(key) ?? false;
  return (
    <div
      ref={measure}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={onSelect ? isSelected : undefined}
      data-index={index}
      tabIndex={keys.activeIndex === index || (keys.activeIndex === null && index === 0) ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      onFocus={() => keys.setActive(key)}
    >
      {onSelect && (
        <div role="gridcell" className={styles.box}>
          <label className={styles.boxLabel}>
            <input
              type="checkbox"
              id={`${id}box`}
              tabIndex={-1}
              checked={isSelected}
              aria-label={t`Select`}
              aria-labelledby={`${id}box ${id}name`}
              onChange={() => {}}
              onClick={(event) => keys.toggle(index, event.shiftKey)}
            />
          </label>
        </div>
      )}
      {columns.map((column, place) => (
        <div key={column.key} role="gridcell" id={place === 0 ? `${id}name` : undefined} className={cellClass(column)}>
          {place === 0 && href ? (
            <Link {...linkTo(href(row))} tabIndex={-1} className={styles.link}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
}

interface SelectAllProps {
  readonly keys: readonly string[];
  readonly selected: ReadonlySet<string> | undefined;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
}

function SelectAll({ keys, selected, onSelect }: SelectAllProps) {
  const { t } = useLingui();
  const count = selected?.size ?? 0;
  const isAll = count > 0 && keys.every((key) => selected?.has(key));
  return (
    <label className={styles.boxLabel}>
      <input
        type="checkbox"
        aria-label={t`Select all that are loaded`}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={() => onSelect(new Set(isAll ? [] : keys))}
      />
    </label>
  );
}
