/** What definitions refer to. */
import { customKeyOf, fullFieldName } from '../segments/fields.js';
import { leavesOf, type Rule } from '../segments/rule.js';
import type { JourneyDefinition } from './definition.js';
import type { JourneyNode } from './nodes.js';
import { PROPERTY_PREFIX } from './triggers.js';

/** Ids by what they are of, each once. */
export interface DefinitionReferences {
  readonly segments: readonly string[];
  readonly lists: readonly string[];
  readonly templates: readonly string[];
  /** Keys of custom fields. */
  readonly fields: readonly string[];
}

/** All rules of a node. */
export function rulesOf(node: JourneyNode): Rule[] {
  if (node.kind === 'trigger') return node.filter ? [node.filter] : [];
  if (node.kind === 'branch') return node.mode === 'rule' ? node.branches.map(({ rule }) => rule) : [];
  return node.kind === 'wait' ? node.for.flatMap(({ rule }) => (rule ? [rule] : [])) : [];
}

interface ReferenceFields {
  readonly type?: string;
  readonly segment_id?: string;
  readonly list_id?: string;
  readonly field?: string;
}

/** The segments, lists and templates that a definition names anywhere. */
export function definitionReferencesOf({ nodes, settings }: Pick<JourneyDefinition, 'nodes' | 'settings'>): DefinitionReferences {
  const parts: ReferenceFields[] = [
    ...nodes.flatMap(rulesOf).flatMap(leavesOf),
    ...nodes.flatMap(namingParts),
    ...settings.exit_when,
    ...(settings.goal ? [settings.goal] : []),
  ];
  const each = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];
  return {
    segments: each(parts.map(({ segment_id }) => segment_id)),
    lists: each(parts.map(({ list_id }) => list_id)),
    templates: each(nodes.map((node) => (node.kind === 'send' ? node.template_id : undefined))),
    fields: each([...parts.map(({ field }) => field), ...nodes.flatMap(fieldsOf)].map(customKey)),
  };
}

/** Fields that a node names outside of rules. */
function fieldsOf(node: JourneyNode): string[] {
  if (node.kind === 'update_contact') return Object.keys(node.set ?? {});
  return node.kind === 'delay' && node.mode === 'until' && node.field !== undefined && !node.field.startsWith(PROPERTY_PREFIX) ? [node.field] : [];
}

const customKey = (field: string | undefined): string | undefined =>
  field === undefined ? undefined : (customKeyOf(fullFieldName(field)) ?? undefined);

function namingParts(node: JourneyNode): ReferenceFields[] {
  if (node.kind === 'trigger') return [node.on];
  if (node.kind === 'wait') return node.for.flatMap(({ on }) => (on ? [on] : []));
  return node.kind === 'list' ? [node] : [];
}
