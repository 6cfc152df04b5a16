import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readActivitySearch } from '../pages/activity/activity-search.ts';
import { readPublishedSearch } from '../pages/agent/published/published-search.ts';
import { readNewChatSearch } from '../pages/chat/chat-search.ts';
import { readCompareSearch } from '../pages/compare/compare-search.ts';
import { readKnowledgeSearch } from '../pages/knowledge/knowledge-search.ts';
import { readRunsSearch } from '../pages/runs/runs-search.ts';
import { readTeamSearch } from '../pages/teams/team-search.ts';
import { readToolsSearch } from '../pages/tools/tools-search.ts';
import { readWelcomeSearch } from '../pages/welcome/welcome-search.ts';
import { loadScript } from '../kit/load-script.ts';
import { ErrorPage, MissingPage } from './error-page.tsx';
import { PendingPage } from './pending-page.tsx';
import { Shell } from './shell.tsx';

const lazyPage = <M extends Record<string, unknown>, K extends keyof M>(load: () => Promise<M>, name: K) =>
  lazyRouteComponent(() => loadScript(load, isNavigating), name);

const isNavigating = (): boolean => router.state.status === 'pending';

const root = createRootRoute({ component: Shell, notFoundComponent: MissingPage, errorComponent: ErrorPage });

const zoo = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyPage(() => import('../pages/zoo/zoo-page.tsx'), 'ZooPage'),
});

/** `/agent/ID/TAB`: the hub's own routes under `/agents` are taken. */
const agent = createRoute({
  getParentRoute: () => root,
  path: '/agent/$id',
  component: lazyPage(() => import('../pages/agent/agent-page.tsx'), 'AgentPage'),
});

const agentHome = createRoute({
  getParentRoute: () => agent,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({ to: '/agent/$id/persona', params, replace: true, throw: true });
  },
});

const persona = createRoute({
  getParentRoute: () => agent,
  path: '/persona',
  component: lazyPage(() => import('../pages/agent/persona/persona-tab.tsx'), 'PersonaTab'),
});

const knowledge = createRoute({
  getParentRoute: () => root,
  path: '/knowledge',
  validateSearch: readKnowledgeSearch,
  component: lazyPage(() => import('../pages/knowledge/knowledge-page.tsx'), 'KnowledgePage'),
});

const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  validateSearch: readToolsSearch,
  component: lazyPage(() => import('../pages/tools/tools-page.tsx'), 'ToolsPage'),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  validateSearch: readWelcomeSearch,
  component: lazyPage(() => import('../pages/welcome/welcome-page.tsx'), 'WelcomePage'),
});

const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  validateSearch: readActivitySearch,
  component: lazyPage(() => import('../pages/activity/activity-page.tsx'), 'ActivityPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyPage(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const newChat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  validateSearch: readNewChatSearch,
  component: lazyPage(() => import('../pages/chat/new-chat-page.tsx'), 'NewChatPage'),
});

const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat/$id',
  component: lazyPage(() => import('../pages/chat/chat-page.tsx'), 'ChatPage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazyPage(() => import('../pages/compare/compare-page.tsx'), 'ComparePage'),
});

const skills = createRoute({
  getParentRoute: () => agent,
  path: '/skills',
  component: lazyPage(() => import('../pages/agent/skills/skills-tab.tsx'), 'SkillsTab'),
});

const published = createRoute({
  getParentRoute: () => agent,
  path: '/published',
  validateSearch: readPublishedSearch,
  component: lazyPage(() => import('../pages/agent/published/published-tab.tsx'), 'PublishedTab'),
});

const agentSettings = createRoute({
  getParentRoute: () => agent,
  path: '/settings',
  component: lazyPage(() => import('../pages/agent/settings/settings-tab.tsx'), 'SettingsTab'),
});

const history = createRoute({
  getParentRoute: () => agent,
  path: '/history',
  component: lazyPage(() => import('../pages/agent/history/history-tab.tsx'), 'HistoryTab'),
});

const agentTools = createRoute({
  getParentRoute: () => agent,
  path: '/tools',
  component: lazyPage(() => import('../pages/agent/tools/tools-tab.tsx'), 'ToolsTab'),
});

const agentKnowledge = createRoute({
  getParentRoute: () => agent,
  path: '/knowledge',
  component: lazyPage(() => import('../pages/agent/knowledge/knowledge-tab.tsx'), 'KnowledgeTab'),
});

const memory = createRoute({
  getParentRoute: () => agent,
  path: '/memory',
  component: lazyPage(() => import('../pages/agent/memory/memory-tab.tsx'), 'MemoryTab'),
});

const connect = createRoute({
  getParentRoute: () => agent,
  path: '/connect',
  component: lazyPage(() => import('../pages/agent/connect/connect-tab.tsx'), 'ConnectTab'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  component: lazyPage(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: readRunsSearch,
  component: lazyPage(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$id',
  component: lazyPage(() => import('../pages/runs/run-page.tsx'), 'RunPage'),
});

const teams = createRoute({
  getParentRoute: () => root,
  path: '/teams',
  component: lazyPage(() => import('../pages/teams/teams-page.tsx'), 'TeamsPage'),
});

const team = createRoute({
  getParentRoute: () => root,
  path: '/teams/$id',
  validateSearch: readTeamSearch,
  component: lazyPage(() => import('../pages/teams/team-page.tsx'), 'TeamPage'),
});

const kit = createRoute({
  getParentRoute: () => root,
  path: '/kit',
  component: lazyPage(() => import('../pages/kit/kit-page.tsx'), 'KitPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    zoo,
    agent.addChildren([
      agentHome,
      persona,
      skills,
      agentTools,
      agentKnowledge,
      published,
      memory,
      agentSettings,
      history,
      connect,
    ]),
    newChat,
    chat,
    compare,
    home,
    runs,
    run,
    teams,
    team,
    knowledge,
    tools,
    welcome,
    activity,
    settings,
    kit,
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
