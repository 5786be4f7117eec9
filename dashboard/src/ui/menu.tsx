import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from './button.tsx';
import list from './list.module.css';

interface Item {
  readonly key: string;
  readonly label: string;
  readonly onAction: () => void;
  readonly tone?: 'danger';
  readonly isDisabled?: boolean;
  readonly icon?: ReactNode;
}

export interface MenuProps {
  /** The name of its button. */
  readonly label: string;
  readonly items: readonly Item[];
  /** What the button shows; three dots if not given. */
  readonly children?: ReactNode;
  readonly size?: 'small' | 'normal';
  readonly look?: 'plain' | 'quiet';
}

/** A button that opens a list of actions. */
export const Menu = ({ label, items, children, size, look = 'quiet' }: MenuProps) => (
  <MenuTrigger>
    <Button size={size} look={look} aria-label={label}>
      {children ?? <Ellipsis aria-hidden />}
    </Button>
    <Popover className={list.popover} placement="bottom end">
      <AriaMenu className={list.list} aria-label={label} onAction={(key) => items.find((item) => item.key === key)?.onAction()}>
        {items.map((item) => (
          <MenuItem key={item.key} id={item.key} isDisabled={item.isDisabled} className={`${list.item} ${item.tone ? list[item.tone] : ''}`}>
            {item.icon}
            {item.label}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);
