export { openSqlite } from './sqlite.ts';
