import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ScopePreview } from '../../../../../src/contract/scope.ts';
import type { ToolDescriptor } from '../../../../../src/contract/tool.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { formatCount, formatNumber } from '../../../kit/numbers.ts';
import type { ToolGroup } from '../../tools/group-tools.ts';
import { ServerState } from '../../tools/server-state.tsx';
import { ToolBadges } from '../../tools/tool-badges.tsx';
import { HubText } from '../../../kit/hub-text/hub-text.tsx';

/** Longer groups are closed at first. */
const MANY = 30;

type Reason = ScopePreview['tools'][number];

interface GroupProps {
  group: ToolGroup;
  reasons: ReadonlyMap<string, Reason>;
  /** Whether these are what a search has found. */
  isSearch: boolean;
  disabled: boolean;
  onGrant: (tools: readonly ToolDescriptor[]) => void;
  onRevoke: (tools: readonly ToolDescriptor[]) => void;
}

/** The tools of one server, each with its price and why it is in or out. */
export function ToolGroupRows(props: GroupProps) {
  const { group, reasons, isSearch, disabled, onGrant, onRevoke } = props;
  const [isShown, setShown] = useState(isSearch || group.tools.length <= MANY);
  const { title, server, tools, total } = group;
  const granted = tools.filter(({ name }) => reasons.get(name)?.allowed === true);
  const tokens = granted.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  return (
    <section aria-label={title}>
      <div className="sticky top-0 z-[5] flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-paper py-2">
        <button
          type="button"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
          className="flex items-center gap-1.5 rounded-sm font-serif text-lg"
        >
          <ChevronRight className={`size-4 text-soft transition-transform ${isShown ? 'rotate-90' : ''}`} />
          {title}
        </button>
        {server === null ? null : <ServerState state={server.state} />}
        <span className="text-xs text-faint tabular">
          {tools.length === total
            ? formatCount(total, 'tool')
            : `${formatNumber(tools.length)} of ${formatCount(total, 'tool')}`}
          , {formatNumber(granted.length)} granted, {formatCount(tokens, 'token')}
        </span>
        {disabled || tools.length === 0 ? null : (
          <span className="ml-auto flex gap-1">
            <Button
              small
              look="quiet"
              disabled={granted.length === tools.length}
              onClick={() => onGrant(tools)}
            >
              Grant all
            </Button>
            <Button small look="quiet" disabled={granted.length === 0} onClick={() => onRevoke(tools)}>
              Revoke all
            </Button>
          </span>
        )}
      </div>
      {isShown && tools.length === 0 ? (
        <p className="py-3 text-sm text-soft">
          {server?.state === 'untrusted'
            ? 'Its tools are known once the workspace is approved. Grants that name them are kept.'
            : 'Its tools are not known yet. Grants that name them are kept.'}
        </p>
      ) : null}
      {isShown ? (
        <ul>
          {tools.map((tool) => (
            <ToolRow
              key={tool.name}
              tool={tool}
              server={server?.name ?? null}
              reason={reasons.get(tool.name)}
              isSearch={isSearch}
              disabled={disabled}
              onChange={(allowed) => (allowed ? onGrant([tool]) : onRevoke([tool]))}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface RowProps {
  tool: ToolDescriptor;
  server: string | null;
  reason: Reason | undefined;
  isSearch: boolean;
  disabled: boolean;
  onChange: (allowed: boolean) => void;
}

/** Rows out of sight are not laid out, so that a thousand of them scroll like ten. */
function ToolRow({ tool, server, reason, isSearch, disabled, onChange }: RowProps) {
  // If no rule names the tool, the reason is shown only in search results.
  const isSaid = reason !== undefined && (reason.allowed || reason.rule !== null || isSearch);
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line py-2 [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto] sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <Checkbox
          label={<span className="font-mono break-all">{tool.displayName}</span>}
          checked={reason?.allowed === true}
          disabled={disabled}
          onChange={onChange}
        />
        <p className="line-clamp-2 pl-6 text-xs text-soft" title={tool.description}>
          {tool.description}
        </p>
        {isSaid ? (
          <p className="pl-6 text-xs text-faint">
            <HubText>{`${reason.allowed ? 'In' : 'Out'}: ${reason.because}.`}</HubText>
          </p>
        ) : null}
      </div>
      <div className="flex items-center gap-2 self-start text-xs text-faint tabular max-sm:pl-6">
        <ToolBadges tool={tool} />
        {tool.changed === true && server !== null ? (
          <Link to="/tools" search={{ server }} className="text-amber hover:underline">
            See the change
          </Link>
        ) : null}
        <span className="w-20 text-right">
          {tool.tokens === undefined ? '' : formatCount(tool.tokens, 'token')}
        </span>
      </div>
    </li>
  );
}
