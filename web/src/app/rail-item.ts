/** How a row of the rail looks. */
export const railItem =
  'flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm text-soft hover:bg-wash hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0';
