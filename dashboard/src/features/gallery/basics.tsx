import { Plus } from 'lucide-react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './gallery.module.css';

const looks = ['primary', 'plain', 'quiet', 'danger'] as const;
const tones: readonly Tone[] = ['success', 'warning', 'danger', 'info', 'neutral'];

export const Basics = () => (
  <>
    <Panel title="Buttons">
      {(['normal', 'small'] as const).map((size) => (
        <div key={size} className={styles.line}>
          {looks.map((look) => (
            <Button key={look} look={look} size={size}>
              {look}
            </Button>
          ))}
          <Button look="primary" size={size}>
            <Plus aria-hidden />
            With icon
          </Button>
          <ButtonLink to="/" size={size}>
            A link
          </ButtonLink>
          <Button isDisabled size={size}>
            Disabled
          </Button>
          <Button isPending size={size}>
            Pending
          </Button>
        </div>
      ))}
    </Panel>
    <Panel title="Badges">
      <div className={styles.line}>
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
    </Panel>
    <Panel title="States">
      <Loading rows={3} />
      <ErrorNote message="The limit of 1000 requests per 1 minute is reached." requestId="req_01M8FE458SRK2SM8CAJKWGD9TN" onRetry={() => {}} />
      <Empty title="No messages yet" actions={<Button look="primary">Send a message</Button>}>
        A message goes to one person by one channel. What happens to it shows here at once.
      </Empty>
    </Panel>
    <Panel title="Toasts">
      <div className={styles.line}>
        <Button onPress={() => toast({ message: 'Saved', tone: 'success' })}>Note</Button>
        <Button onPress={() => toast({ message: 'Removed from the list “Readers of the letter”', undo: () => {} })}>With undo</Button>
        <Button onPress={() => toast({ message: 'It could not be saved', tone: 'danger' })}>Failure</Button>
      </div>
    </Panel>
  </>
);
