import { type DialogProps, Overlay } from './dialog.tsx';

/** Details beside the page, from its side; over all of it where the window is narrow. */
export const Drawer = (props: DialogProps) => <Overlay {...props} place="side" />;
