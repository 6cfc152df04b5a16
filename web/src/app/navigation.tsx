import {
  Activity,
  Columns3,
  Footprints,
  House,
  LibraryBig,
  MessagesSquare,
  PawPrint,
  Route,
  Settings,
  Shapes,
  Users,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';

export interface Destination {
  to:
    | '/'
    | '/home'
    | '/chat'
    | '/compare'
    | '/runs'
    | '/teams'
    | '/knowledge'
    | '/tools'
    | '/activity'
    | '/settings'
    | '/welcome'
    | '/kit';
  label: string;
  icon: ReactNode;
  /** Keys after `g`, as in "g z". */
  key: string;
  /** Reached by the command palette alone. */
  hidden?: true;
}

/** The pages of the rail and of the command palette, in their order. */
export const destinations: readonly Destination[] = [
  { to: '/home', label: 'Home', icon: <House />, key: 'o' },
  { to: '/', label: 'Zoo', icon: <PawPrint />, key: 'z' },
  { to: '/chat', label: 'Chat', icon: <MessagesSquare />, key: 'h' },
  { to: '/compare', label: 'Compare', icon: <Columns3 />, key: 'm' },
  { to: '/runs', label: 'Runs', icon: <Route />, key: 'r' },
  { to: '/teams', label: 'Teams', icon: <Users />, key: 'e' },
  { to: '/knowledge', label: 'Knowledge', icon: <LibraryBig />, key: 'k' },
  { to: '/tools', label: 'Tools', icon: <Wrench />, key: 't' },
  { to: '/activity', label: 'Activity', icon: <Activity />, key: 'a' },
  { to: '/settings', label: 'Settings', icon: <Settings />, key: 's' },
  { to: '/welcome', label: 'First steps', icon: <Footprints />, key: 'w', hidden: true },
  { to: '/kit', label: 'Components', icon: <Shapes />, key: 'c', hidden: true },
];
