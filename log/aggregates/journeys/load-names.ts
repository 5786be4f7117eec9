import type { JourneyDefinition } from '../../../domain/journeys/definition.js';
import { definitionReferencesOf } from '../../../domain/journeys/references.js';
import type { JourneyNames } from '../../../domain/journeys/texts.js';
import type { Rule } from '../../../domain/segments/rule.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadRuleNames } from '../segments/load-names.js';
import { findTemplate } from '../templates/load-template.js';

/** The names of what a definition refers to, for its sentences. */
export async function loadJourneyNames(log: EventLog, account: string, definition: JourneyDefinition): Promise<JourneyNames> {
  const { segments, lists, templates } = definitionReferencesOf(definition);
  const rules: Rule[] = [
    ...segments.map((segment_id) => ({ type: 'segment', segment_id, is_member: true }) as const),
    ...lists.map((list_id) => ({ type: 'list', list_id, is_member: true }) as const),
  ];
  const [names, found] = await Promise.all([
    loadRuleNames(log, account, rules),
    Promise.all(templates.map(async (id) => [id, (await findTemplate(log, account, id, { includeDeleted: true }))?.name] as const)),
  ]);
  const byId = new Map(found);
  return { ...names, template: (id) => byId.get(id) };
}
