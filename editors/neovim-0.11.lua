-- Rule files with `rulespec lsp`, for Neovim 0.11 and later.
local function is_rule_file(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 200, false)) do
    if line:match("^rulespec:") then
      return true
    end
  end
  return false
end

vim.lsp.config("rulespec", {
  cmd = { "rulespec", "lsp" },
  filetypes = { "yaml" },
  root_dir = function(buffer, use) -- without a call of `use`, the server is not started for this file
    if is_rule_file(buffer) then
      use(vim.fn.getcwd())
    end
  end,
})
vim.lsp.enable("rulespec")

-- the games that came with rulespec are for reading
vim.api.nvim_create_autocmd("BufReadPost", {
  pattern = "*-packages/rulespec/games/*",
  callback = function(args)
    vim.bo[args.buf].readonly = true
    vim.bo[args.buf].modifiable = false
  end,
})
