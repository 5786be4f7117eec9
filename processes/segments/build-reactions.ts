/** How the definitions of segments take effect: collected, built beside, put in force, and decided of every contact. */

import type { AccountCreated, SettingsChanged } from '../../domain/accounts/account.js';
import type { CustomFieldDefined, CustomFieldRemoved } from '../../domain/contacts/custom-field.js';
import { customFieldName } from '../../domain/contacts/facts.js';
import type { EventOf } from '../../domain/kernel/event.js';
import type { Doc } from '../../domain/kernel/ports.js';
import {
  completed,
  type Definitions,
  missingFor,
  noDefinitions,
  putInForce,
  type RuleOf,
  type RunningBuild,
  rulesNeeded,
  startBuild,
  wantingZone,
  withDropped,
  withField,
  withoutField,
  withoutSegment,
  withRules,
  withZone,
  zoneOfBuild,
} from '../../domain/segments/live/definitions.js';
import type { LiveSegmentEvent, ScanNeeds, SegmentBuildStarted, SegmentHistoryScanned } from '../../domain/segments/live/recorded.js';
import type { SegmentEvent } from '../../domain/segments/segment.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention, Todo } from '../runtime/process-manager.js';
import {
  type DefinitionsNote,
  definitionEnvironment,
  definitionsId,
  type FindNote,
  type RuleNote,
  ruleId,
  type SegmentCatalogs,
  stampId,
} from './catalogs.js';

/** The next step of the building of an account's segments. */
export interface BuildTodo extends Todo {
  readonly kind: 'build';
  readonly step: 'start' | 'scan' | 'decide';
  readonly build_id: string;
  /** Number of the steps that are recorded. */
  readonly steps: number;
  /** Up to where the log is read, and its end. */
  readonly from: string;
  readonly until: string;
  /** Of a scan; older ones need everything. */
  readonly needs?: ScanNeeds;
  readonly correlation: string;
}

type FieldEvent = EventOf<typeof CustomFieldDefined> | EventOf<typeof CustomFieldRemoved>;
type ZoneEvent = EventOf<typeof AccountCreated> | EventOf<typeof SettingsChanged>;
type BuildStarted = EventOf<typeof SegmentBuildStarted>['data'];
export type BuildEvent = SegmentEvent | FieldEvent | ZoneEvent | Exclude<LiveSegmentEvent, { type: 'SegmentMembershipsChanged' }>;

export const buildTodoId = (account: string): string => `build/${account}`;

/** Notes that a change of definitions needs: all rules in force, and those that are built. */
export function buildNotes({ event, meta: { account } }: LogEvent<BuildEvent>, note: FindNote): string[] {
  const ids = [stampId(account), definitionsId(account)];
  if (event.type === 'SegmentCreated') return [...ids, ruleId(event.data.segment_id, 1)];
  if (event.type === 'SegmentUpdated')
    return event.data.rules_version === undefined ? ids : [...ids, ruleId(event.data.segment_id, event.data.rules_version)];
  const definitions = note<DefinitionsNote>(definitionsId(account))?.definitions;
  const listed = (definitions?.segments ?? []).flatMap(({ id, in_force, wanted }) =>
    [in_force?.rules_version, wanted].flatMap((version) => (version == null ? [] : [ruleId(id, version)])),
  );
  for (const { id, rules_version } of definitions ? rulesNeeded(definitions) : []) listed.push(ruleId(id, rules_version));
  return [...ids, ...listed];
}

export class BuildReaction {
  readonly #account: string;
  readonly #rules = new Map<string, RuleNote>();

  constructor(
    private readonly stored: LogEvent<BuildEvent>,
    private readonly find: FindNote,
    private readonly catalogs: SegmentCatalogs,
  ) {
    this.#account = stored.meta.account;
  }

  react(): readonly Intention[] {
    const { event, position } = this.stored;
    const before = this.#definitions();
    switch (event.type) {
      case 'SegmentCreated':
        return this.#define(before, event.data.segment_id, 1, event.data.rules);
      case 'SegmentUpdated': {
        const { segment_id, rules, rules_version, reread = false } = event.data;
        if (rules === undefined || rules_version === undefined) return [{ do: 'ignore', reason: 'other change' }];
        return this.#define(before, segment_id, rules_version, rules, reread);
      }
      case 'CustomFieldDefined':
        return this.#store(withField(before, customFieldName(event.data.key), event.data.pii));
      case 'CustomFieldRemoved':
        return this.#store(withoutField(before, customFieldName(event.data.key), event.data.at));
      case 'AccountCreated':
        return this.#zone(before, event.data.timezone);
      case 'SettingsChanged':
        return this.#zone(before, event.data.changes.timezone);
      case 'SegmentDeleted':
        return this.#store(this.#withDropped(before, withoutSegment(before, event.data.segment_id)));
      case 'SegmentBuildStarted': {
        const { build_id, segments, scan } = event.data;
        const listed = segments
          .map(({ segment_id: id, rules_version }) => ({ id, rules_version }))
          .filter(({ id }) => before.segments.some((segment) => segment.id === id));
        const build = { id: build_id, until: position, segments: listed, ...zoneOfBuild(before, listed, this.#ruleOf) };
        // Since the plan a segment may have been deleted that kept what the others need.
        const { histories, scan: isMissing, needs } = this.#missing(before, listed);
        const reads = scan === 'log' || isMissing;
        const after = this.#withDropped(before, startBuild(before, build, histories, reads));
        const next = { ...this.#todo(build_id, 1), until: position, from: 'start' };
        return [...this.#store(after), { do: 'schedule', todo: reads ? { ...next, step: 'scan', needs } : { ...next, step: 'decide' } }];
      }
      case 'SegmentHistoryScanned':
        return this.#scanned(before, event.data);
      case 'SegmentBuildCompleted': {
        const after = wantingZone(completed(before), this.#ruleOf);
        return [...this.#store(after), ...this.#begin(after)];
      }
      default:
        return event satisfies never;
    }
  }

  #define(before: Definitions, id: string, version: number, rule: RuleNote['rule'], reread = false): readonly Intention[] {
    const note = { id: ruleId(id, version), rule };
    this.#rules.set(note.id, note);
    const after = withRules(before, id, version, reread);
    return [{ do: 'store-note', note }, ...this.#store(after), ...(after.build ? [] : this.#begin(after))];
  }

  /** The time zone of the account, if the event names one. */
  #zone(before: Definitions, zone: string | undefined): readonly Intention[] {
    if (zone === undefined) return [{ do: 'ignore', reason: 'other change' }];
    const after = wantingZone(withZone(before, zone), this.#ruleOf);
    if (after.next_zone === before.next_zone) return [{ do: 'ignore', reason: 'no other zone' }];
    return [...this.#store(after), ...(after.build ? [] : this.#begin(after))];
  }

  #scanned(before: Definitions, { to, needs }: EventOf<typeof SegmentHistoryScanned>['data']): readonly Intention[] {
    const { build } = before;
    if (!build) return [{ do: 'ignore', reason: 'no build' }];
    const todo = { ...this.#todo(build.id, this.stored.revision + 1), until: build.until, from: to };
    if (to < build.until) return [{ do: 'schedule', todo: { ...todo, step: 'scan', ...(needs && { needs }) } }];
    return [...this.#store(this.#withDropped(before, putInForce(before))), { do: 'schedule', todo: { ...todo, step: 'decide' } }];
  }

  /** What is wanted is built as soon as that is due: everything that is defined at once in one build. */
  #begin(definitions: Definitions): readonly Intention[] {
    if (definitions.segments.every(({ wanted }) => wanted === null)) return [{ do: 'cancel', id: buildTodoId(this.#account) }];
    return [{ do: 'schedule', todo: this.#todo(`${this.#account}-${definitions.builds + 1}`, 0) }];
  }

  #missing(definitions: Definitions, segments: RunningBuild['segments']) {
    return missingBeside(definitions, segments, this.catalogs, (id) => this.#note(id));
  }

  #todo(build_id: string, steps: number): BuildTodo {
    const { meta } = this.stored;
    return {
      id: buildTodoId(this.#account),
      kind: 'build',
      due_at: Date.parse(this.stored.event.data.at),
      ...{ account: this.#account, priority: 2, lane: 'builds', step: 'start', build_id, steps },
      ...{ from: 'start', until: '', correlation: meta.$correlationId },
    };
  }

  #definitions(): Definitions {
    return this.#note<DefinitionsNote>(definitionsId(this.#account))?.definitions ?? noDefinitions;
  }

  readonly #ruleOf: RuleOf = (id, version) => this.#note<RuleNote>(ruleId(id, version))?.rule;

  #note<N extends Doc>(id: string): N | undefined {
    return (this.#rules.get(id) as N | undefined) ?? this.find<N>(id);
  }

  #withDropped(before: Definitions, after: Definitions): Definitions {
    return withDropped(before, after, this.#ruleOf, definitionEnvironment);
  }

  #store(definitions: Definitions): readonly Intention[] {
    return [
      { do: 'store-note', note: { id: stampId(this.#account), stamp: definitions.stamp } },
      { do: 'store-note', note: { id: definitionsId(this.#account), definitions } },
    ];
  }
}

/** What the rules of segments need and is not kept yet. */
function missingBeside(definitions: Definitions, segments: RunningBuild['segments'], catalogs: SegmentCatalogs, note: FindNote) {
  const kept = catalogs.compile({ ...definitions, build: null }, note);
  const building = { id: '', until: '', segments, histories: [], scanning: true };
  return missingFor(kept, catalogs.compile({ ...definitions, build: building }, note), definitions);
}

/** The build of what is wanted now; without segments where there is nothing that can be built. */
export function planBuild(definitions: Definitions, catalogs: SegmentCatalogs, note: FindNote): Pick<BuildStarted, 'segments' | 'scan'> {
  const wanted = definitions.segments.flatMap(({ id, wanted: version }) => {
    return version !== null && note(ruleId(id, version)) ? [{ id, rules_version: version }] : [];
  });
  const segments = wanted.map(({ id: segment_id, rules_version }) => ({ segment_id, rules_version }));
  return { segments, scan: missingBeside(definitions, wanted, catalogs, note).scan ? 'log' : 'none' };
}

/** The rules that the plan of a build needs. */
export const plannedNotes = (definitions: Definitions): string[] =>
  definitions.segments.flatMap(({ id, in_force, wanted }) =>
    [in_force?.rules_version, wanted].flatMap((version) => (version == null ? [] : [ruleId(id, version)])),
  );
