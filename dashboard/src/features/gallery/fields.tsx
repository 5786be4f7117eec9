import { useState } from 'react';
import { Checkbox, CheckboxGroup, RadioGroup, Switch } from '../../ui/choices.tsx';
import { ComboField } from '../../ui/combo-field.tsx';
import { Panel } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import styles from './gallery.module.css';

const channels = [
  { value: 'email', label: 'Email' },
  { value: 'sms', label: 'SMS' },
  { value: 'whatsapp', label: 'WhatsApp', hint: 'Only within 24 hours of their last message' },
  { value: 'rcs', label: 'RCS', isDisabled: true },
];

const cities = ['Aachen', 'Berlin', 'Bremen', 'Dresden', 'Hamburg', 'Köln', 'Leipzig', 'München'].map((label) => ({ value: label, label }));

const citiesLike = async (text: string) => cities.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));

export function Fields() {
  const [city, setCity] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [channel, setChannel] = useState<string | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>(['email']);
  const [at, setAt] = useState<string | null>('2026-05-03T12:05:00.000Z');
  const [isOn, setIsOn] = useState(true);
  return (
    <Panel title="Fields">
      <div className={styles.grid}>
        <TextField label="Name" hint="As people see it" value={text} onChange={setText} />
        <TextField label="Address" error="Use a country prefix, for example +14155550100." value={text} onChange={setText} />
        <TextField label="Disabled" isDisabled value="Cannot be changed" />
        <TextField label="Text" rows={3} placeholder="Write…" value={text} onChange={setText} />
        <SelectField label="Channel" options={channels} value={channel} onChange={setChannel} emptyLabel="Any channel" />
        <SelectField label="Channel with an error" options={channels} value={channel} onChange={setChannel} error="Choose one." />
        <SelectField label="Disabled" options={channels} value="sms" onChange={setChannel} isDisabled hint="Set by the template" />
        <SearchField label="Search messages" value={text} onChange={setText} />
        <ComboField label="City" value={city} onChange={setCity} load={citiesLike} hint="Type a part of its name" />
        <TimeField label="Send at" value={at} onChange={setAt} hint="In the zone of the account" />
        <TimeField label="Send at, in Berlin" value={at} onChange={setAt} zone="Europe/Berlin" />
        <TimeField label="Empty, with an error" value={null} onChange={setAt} error="Must lie in the future." />
        <TimeField label="Disabled" value={at} onChange={setAt} isDisabled />
        <CheckboxGroup label="Channels" options={channels} value={chosen} onChange={setChosen} hint="At least one" />
        <RadioGroup label="Channel" options={channels} value={channel} onChange={setChannel} />
        <RadioGroup label="With an error" options={channels.slice(0, 2)} value={channel} onChange={setChannel} error="Choose one." />
        <div>
          <Checkbox label="Track opens" hint="By an image in the mail" isSelected={isOn} onChange={setIsOn} />
          <Checkbox label="Some" isIndeterminate isSelected={isOn} onChange={setIsOn} />
          <Checkbox label="Disabled" isDisabled isSelected={isOn} onChange={setIsOn} />
          <Switch label="Quiet hours" hint="Nothing is sent at night" isSelected={isOn} onChange={setIsOn} />
          <Switch label="Disabled" isDisabled isSelected={false} onChange={setIsOn} />
        </div>
      </div>
    </Panel>
  );
}
