import { Page } from '../../kit/page.tsx';
import { AboutSection } from './about-section.tsx';
import { BackupSection } from './backup-section.tsx';
import { ClientsSection } from './clients-section.tsx';
import { ProblemsSection } from './problems-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { TrustSection } from './trust-section.tsx';
import { WorkspacesSection } from './workspaces-section.tsx';

/** What the hub runs, who may call it, and what is wrong. */
export function SettingsPage() {
  return (
    <Page
      title="Settings"
      about="What this workspace may run, who may call its agents, and what needs a look."
    >
      <TrustSection />
      <ProblemsSection />
      <ClientsSection />
      <TokensSection />
      <WorkspacesSection />
      <BackupSection />
      <AboutSection />
    </Page>
  );
}
