import { createContext } from 'react';

/** Whether the run that is shown belongs to a chat. A call that is allowed for longer is allowed for the chat, or else for the run. */
export const InChat = createContext(true);
