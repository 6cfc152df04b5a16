/** The tabs of the agent page, in their order; `app/router.tsx` has a route for each. */
export const agentTabs = [
  { to: '/agent/$id/persona', label: 'Persona' },
  { to: '/agent/$id/skills', label: 'Skills' },
  { to: '/agent/$id/tools', label: 'Tools' },
  { to: '/agent/$id/knowledge', label: 'Knowledge' },
  { to: '/agent/$id/published', label: 'Published tools' },
  { to: '/agent/$id/memory', label: 'Memory' },
  { to: '/agent/$id/settings', label: 'Settings' },
  { to: '/agent/$id/history', label: 'History' },
  { to: '/agent/$id/connect', label: 'Connect' },
] as const;
