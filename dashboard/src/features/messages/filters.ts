import { useLingui } from '@lingui/react/macro';
import type { Filter } from '../../ui/filter-bar.tsx';
import { channels, channelWords, reasons, reasonWords, statuses, statusWords } from './words.ts';

/** The filters of the history: all that the API has. */
export function useFilters(): Filter[] {
  const { t, i18n } = useLingui();
  return [
    { key: 'status', label: t`Status`, kind: 'choice', options: statuses.map((value) => ({ value, label: i18n._(statusWords[value].label) })) },
    { key: 'channel', label: t`Channel`, kind: 'choice', options: channels.map((value) => ({ value, label: i18n._(channelWords[value]) })) },
    { key: 'to', label: t`Recipient`, kind: 'text' },
    { key: 'status_reason', label: t`Reason`, kind: 'choice', options: reasons.map((value) => ({ value, label: i18n._(reasonWords[value]) })) },
    { key: 'created_after', label: t`Created after`, kind: 'time' },
    { key: 'created_before', label: t`Created before`, kind: 'time' },
    { key: 'tag', label: t`Tag`, kind: 'text' },
    { key: 'contact_id', label: t`Contact id`, kind: 'text' },
    { key: 'campaign_id', label: t`Campaign id`, kind: 'text' },
    { key: 'journey_id', label: t`Journey id`, kind: 'text' },
    { key: 'template_id', label: t`Template id`, kind: 'text' },
    { key: 'batch_id', label: t`Batch id`, kind: 'text' },
  ];
}
