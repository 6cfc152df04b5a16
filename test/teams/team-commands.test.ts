import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { tempHome } from '../zoo-command.ts';
import { ownConfig, poll, readNotes } from './team-stage.ts';

interface Shown {
  name: string;
  state: string;
  unread: number;
}

const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

test(
  'a team is started, watched, told, paused and stopped with the built program',
  { timeout: 600_000 },
  async () => {
    await using home = await tempHome();
    const config = String(home.env['ZOO_CONFIG_DIR']);
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'zoo.toml'), ownConfig(join(home.path, 'oracle.jsonl')));
    execFileSync(
      'sh',
      ['-c', 'git init -q && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m first'],
      { cwd: home.work },
    );
    const zoo = async (...words: string[]) => {
      const outcome = await home.program(words);
      if (outcome.code !== 0) throw new Error(`zoo ${words.join(' ')}: ${outcome.err}`);
      return outcome.out;
    };
    const hub = await home.serve();
    const show = async () => JSON.parse((await home.inProcess(['team', 'show', 'crew', '--json'])).out);
    const untilIdle = () =>
      poll('idle members', show, ({ members }) =>
        members.every(
          (member: { state: string; unread: number }) => member.state === 'idle' && member.unread === 0,
        ),
      );

    expect(await zoo('harness', 'list')).toMatch(/fake +installed +/);
    writeFileSync(
      join(home.work, 'crew.toml'),
      `[team]\nname = "crew"\n[[team.member]]\nname = "lead"\nharness = "fake"\ntask = ${JSON.stringify(call('send_message', { recipient: 'user', text: 'I am ready', sync: false }))}\n[[team.member]]\nname = "writer"\nharness = "fake"\nworktree = true\ntask = "!write new.txt"\n`,
    );
    expect(await zoo('team', 'start', 'crew.toml')).toContain('lead');
    await untilIdle();
    expect(await zoo('team', 'list')).toContain('crew');
    expect(await zoo('__complete', 'zoo team show cr')).toMatch(/^crew\t/);
    expect(await zoo('__complete', 'zoo team inspect crew wr')).toMatch(/^writer\t/);
    expect(await zoo('team', 'show', 'crew')).toMatch(/lead idle[\s\S]*writer idle/);
    expect(await zoo('team', 'log', 'crew')).toMatch(/lead → user  message, unread .*\n  I am ready/);
    expect(await zoo('team', 'inbox', 'crew')).toMatch(/lead → user  message  \S+\n  I am ready/);
    expect((await home.inProcess(['team', 'inbox', 'crew'])).err).toContain('Nothing new.');
    const sent = await home.inProcess(['__complete', 'zoo team send crew lead thanks --reply-to ']);
    const [ready = ''] = sent.out.split('\t');
    expect(sent.out).toMatch(/^\S+\tlead: I am ready\n$/);
    const thank = ['team', 'send', 'crew', 'lead', 'thanks', '--reply-to'];
    expect((await home.inProcess([...thank, ready.slice(0, 8)])).code).toBe(0);
    expect((await home.inProcess([...thank, 'x'])).err).toContain("Message 'x' not found");
    const log = JSON.parse((await home.inProcess(['team', 'log', 'crew', '--json'])).out);
    expect(log.messages).toContainEqual(
      expect.objectContaining({ text: 'thanks', kind: 'reply', replyTo: ready }),
    );
    await untilIdle();
    expect(await zoo('team', 'inspect', 'crew', 'lead')).toContain('Turn 1, ok');
    expect(await zoo('team', 'log', 'crew')).toContain('lead → user');
    expect(await zoo('team', 'log', 'crew', '--turns')).toMatch(/team running[\s\S]*lead → user/);
    const narrow = await home.inProcess(['team', 'log', 'crew'], { columns: 80 });
    const widths = narrow.out.split('\n').map((line) => stripVTControlCharacters(line).length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
    expect(await zoo('team', 'diff', 'crew', 'writer')).toContain('+written');
    expect(await zoo('team', 'send', 'crew', 'lead', 'hello', 'there')).toContain('Sent to lead');
    await untilIdle();
    expect(await zoo('team', 'pause', 'crew')).toContain('is paused');
    expect(await zoo('team', 'resume', 'crew')).toContain('is running');

    // Detaches with the end of the input, after what happened so far.
    const attached = await home.program(['team', 'attach', 'crew'], { input: 'typed line\n' });
    expect([attached.code, attached.out]).toEqual([0, expect.stringContaining('hello there')]);
    await untilIdle();
    expect(await zoo('team', 'log', 'crew')).toContain('typed line');

    const goodbye = call('send_message', { recipient: 'user', text: 'Goodbye', sync: false });
    await zoo('team', 'send', 'crew', 'lead', goodbye);
    await untilIdle();
    expect(await zoo('team', 'stop', 'crew', 'writer')).toMatch(/writer stopped/);
    expect(await zoo('team', 'merge', 'crew', 'writer')).toContain('is merged');
    expect(await zoo('team', 'stop', 'crew')).toMatch(
      /writer stopped \(.*; worktree merged\)\n +the user stopped it/,
    );
    const resumed = await home.program(['team', 'resume', 'crew']);
    expect([resumed.code, resumed.err]).toEqual([
      1,
      expect.stringContaining("Team 'crew' is stopped and cannot be resumed."),
    ]);
    expect(await zoo('team', 'log', '-f', 'crew')).toContain('I am ready');
    const unknown = await home.program(['team', 'show', 'nobody']);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("Team 'nobody' not found")]);

    // Nothing runs this team any more; its mail can still be read, once.
    const ended = once(hub.child, 'exit');
    hub.child.kill('SIGTERM');
    await ended;
    await home.serve();
    expect(await zoo('team', 'inbox', 'crew')).toContain('Goodbye');
    expect((await home.inProcess(['team', 'inbox', 'crew'])).err).toContain('Nothing new.');
  },
);

test(
  'dead letters, discarded work and permission requests are settled on the command line',
  { timeout: 600_000 },
  async () => {
    await using home = await tempHome();
    const config = String(home.env['ZOO_CONFIG_DIR']);
    const oracle = join(home.path, 'oracle.jsonl');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'zoo.toml'), ownConfig(oracle));
    execFileSync(
      'sh',
      ['-c', 'git init -q && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m first'],
      { cwd: home.work },
    );
    const zoo = async (...words: string[]) => {
      const { code, out, err } = await home.inProcess(words);
      if (code !== 0) throw new Error(`zoo ${words.join(' ')}: ${err}`);
      return out;
    };
    const json = async (...words: string[]) => JSON.parse(await zoo(...words, '--json'));
    const untilMember = (name: string, state: string) =>
      poll(
        `${name} to be ${state}`,
        async (): Promise<Shown[]> => (await json('team', 'show', 'crew')).members,
        (members) =>
          members.some((member) => member.name === name && member.state === state && member.unread === 0),
      );
    // It crashes three times, and so fails; the fourth time, it works.
    const crashes = ['a', 'b', 'c'].map((name) => `!stumble ${join(home.path, name)}`).join('\n');
    writeFileSync(
      join(home.work, 'crew.toml'),
      `[team]\nname = "crew"\n[[team.member]]\nname = "lead"\nharness = "fake"\n[[team.member]]\nname = "shaky"\nharness = "fake"\ntask = ${JSON.stringify(crashes)}\n[[team.member]]\nname = "writer"\nharness = "fake"\nworktree = true\ntask = "!write new.txt"\n`,
    );
    const hub = await home.serve();
    await home.program(['team', 'start', 'crew.toml']);

    await untilMember('shaky', 'failed');
    const { messages } = await json('team', 'log', 'crew', '--dead');
    expect(messages).toMatchObject([
      { to: 'shaky', state: 'dead', reason: expect.stringContaining('failed 3 times') },
    ]);
    const [{ id }] = messages;
    expect(await zoo('__complete', 'zoo team redeliver crew ')).toMatch(new RegExp(`^${id}\t.*\n$`));
    expect(await zoo('team', 'redeliver', 'crew', id.slice(0, 8))).toContain(
      `Message ${id} is queued again.`,
    );
    await untilMember('shaky', 'idle');
    const again = await home.inProcess(['team', 'redeliver', 'crew', id.slice(0, 8)]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not a dead letter')]);
    const none = await home.inProcess(['team', 'redeliver', 'crew', 'x']);
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining("Message 'x' not found in this team."),
    ]);

    await untilMember('writer', 'idle');
    await zoo('team', 'stop', 'crew', 'writer');
    expect(await zoo('team', 'discard', 'crew', 'writer')).toContain('The work of writer is discarded.');
    expect(execFileSync('git', ['branch', '--list', 'zoo/*'], { cwd: home.work }).toString()).toBe('');

    const answer = async (...decision: string[]) => {
      await zoo('team', 'send', 'crew', 'lead', '!ask execute - make');
      const [question] = await poll(
        'the question',
        async () => (await json('inbox')).questions,
        (questions) => questions.length === 1,
      );
      expect(question.title).toContain('lead of team crew wants to use: make');
      await zoo('inbox', 'answer', question.id, ...decision);
      await untilMember('lead', 'idle');
    };
    await answer('allow');
    await answer('deny', '--reason', 'not today');
    const answers = readNotes(oracle).flatMap(({ permission, outcome, reason }) =>
      permission === undefined ? [] : [[outcome, reason]],
    );
    expect(answers).toEqual([
      ['yes', undefined],
      ['no', 'the user denied it: not today'],
    ]);
    const transcript = await zoo('team', 'log', 'crew', '--turns');
    expect(transcript.match(/user → shaky task, queued again\n/g)?.length).toBeGreaterThan(1);
    expect(transcript).toMatch(/shaky turn 1 failed\n/);
    expect(transcript.split('!stumble')).toHaveLength(4);
    const ended = once(hub.child, 'exit');
    hub.child.kill('SIGTERM');
    await ended;
    expect((await home.inProcess(['team', 'show', 'crew'])).err).toContain(
      'No hub is running: members go on',
    );
  },
);
