import { expect, test } from 'vitest';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml': '[agents.script.greeter]\npath = "greeter.lua"\n',
  'greeter.lua': `agent = {
  name = "greeter",
  description = "Greets people",
  arguments = { { name = "who", description = "Whom to greet", required = true } },
}

function agent.resolve(args, config, context)
  if args.who == "nobody" then error("nobody to greet") end
  log.info("greeting " .. args.who)
  return { system = "Greet " .. args.who .. "." }
end
`,
};

test('a script agent shows its source, runs with values and reports its error', async () => {
  await using zoo = await openZoo({ files });
  // Until it is approved, its prompt is unknown, and so is its price.
  const card = zoo.page.getByRole('link', { name: /^greeter/ });
  await card.getByText('not approved', { exact: true }).waitFor();
  expect(await card.textContent()).not.toMatch(/token/);
  expect(await zoo.home.zoo(['trust', '--yes'])).toMatchObject({ code: 0 });
  const { page } = zoo;
  await card.getByText('Greets people').waitFor();
  await page.goto(`${zoo.url}/agent/greeter/persona`);
  await page.getByRole('textbox', { name: 'Source' }).getByText('"Greets people"').waitFor();
  await page.getByRole('textbox', { name: 'who', exact: true }).fill('Ada');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await expect.poll(() => page.getByTestId('resolved-prompt').textContent()).toContain('Greet Ada.');
  await page.getByRole('list', { name: 'Script log' }).getByText('greeting Ada').waitFor();
  await page.getByRole('textbox', { name: 'who', exact: true }).fill('nobody');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page
    .getByRole('alert')
    .getByText(/nobody to greet/)
    .first()
    .waitFor();
});
