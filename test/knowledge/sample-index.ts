import { createIndexWriter } from '../../src/knowledge/index/create-index-writer.ts';
import type { SearchScope, SourceKey } from '../../src/knowledge/index/index-reader.ts';

export const docs: SourceKey = { owner: null, type: 'filesystem', name: 'docs' };
export const runbooks: SourceKey = { owner: 'w1', type: 'git', name: 'runbooks' };
export const secret: SourceKey = { owner: 'w2', type: 'filesystem', name: 'secret' };

/** What somebody in the workspace `w1` may search. */
export const scopeOf = (
  sources: SourceKey[] = [docs, runbooks],
  retrieval: SearchScope['retrieval'] = {},
): SearchScope => ({
  sources,
  retrieval,
  embedding: {},
});

interface Text {
  source: SourceKey;
  path: string;
  title: string;
  sections: [heading: string, body: string][];
  url?: string;
  updatedAt?: string;
  metadata?: Record<string, unknown>;
}

const texts: Text[] = [
  {
    source: docs,
    path: 'guide/payments.md',
    title: 'Payments',
    url: 'https://docs.example.com/payments',
    updatedAt: '2026-03-01T10:00:00+02:00',
    metadata: { team: 'money', tags: ['billing', 'cards'] },
    sections: [
      [
        'Refunds',
        'A refund is paid back within five days.\nCall createRefundRequest() from src/refunds/create.ts.',
      ],
      [
        'Failures',
        'When a card is declined, the service raises ERR_CARD_DECLINED (code E4012).\nRetry after an hour.',
      ],
    ],
  },
  {
    source: docs,
    path: 'guide/deploy.md',
    title: 'Deployments',
    updatedAt: '2026-01-15T00:00:00Z',
    metadata: { team: 'platform', draft: true, owner: { name: 'Ada' } },
    sections: [
      ['Rollout', 'Version v1.2.3 is rolled out with a feature flag.\nSet max_retry_count before.'],
      ['Undo', 'A rollback takes a minute. The payments service is restarted last.'],
    ],
  },
  {
    source: docs,
    path: 'ja/memo.md',
    title: 'メモ',
    sections: [['会議', '深圳の工場で新しい製品の会議がありました。']],
  },
  {
    source: runbooks,
    path: 'payments/oncall.md',
    title: 'On-call for payments',
    updatedAt: '2026-04-01T00:00:00Z',
    sections: [['Latency', 'If the latency of the checkout rises above two seconds, page the café team.']],
  },
  {
    source: secret,
    path: 'salaries.md',
    title: 'Salaries and payments',
    sections: [['All', 'Payments to employees and their refunds.']],
  },
];

/** A few documents of three workspaces. */
export function fillSampleIndex(target: string) {
  const writer = createIndexWriter({ file: target });
  writer.batch(() => {
    for (const { source, path, title, sections, url, updatedAt, metadata } of texts) {
      const id = writer.openSource(source, `/somewhere/${source.name}`);
      let line = 1;
      const chunks = sections.map(([heading, body]) => {
        const lineStart = line;
        line += body.split('\n').length + 1;
        return { headings: [title, heading], body, tokens: 20, lineStart, lineEnd: line - 2 };
      });
      writer.put(
        id,
        { path, fingerprint: '1', contentHash: 'c', settingsHash: 's', bytes: 100, problem: null },
        {
          title,
          text: sections.map(([, body]) => `${body}\n\n`).join(''),
          mimeType: 'text/markdown',
          metadata: metadata ?? {},
          url: url ?? null,
          updatedAt: updatedAt ?? null,
        },
        chunks,
      );
    }
  });
  writer.close();
}
