-- Rule files with `rulespec lsp`, for Neovim 0.7 to 0.10.
local client

local function is_rule_file(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 200, false)) do
    if line:match("^rulespec:") then
      return true
    end
  end
  return false
end

local function attach(buffer)
  if not client or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client({ name = "rulespec", cmd = { "rulespec", "lsp" }, root_dir = vim.fn.getcwd() })
  end
  if not client or not vim.lsp.buf_attach_client(buffer, client) then
    return
  end
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc" -- CTRL-X CTRL-O completes
  local keys = {
    K = vim.lsp.buf.hover,
    gd = vim.lsp.buf.definition,
    grr = vim.lsp.buf.references,
    grn = vim.lsp.buf.rename,
    gra = vim.lsp.buf.code_action,
    ["<leader>f"] = vim.lsp.buf.format or vim.lsp.buf.formatting,
  }
  for key, action in pairs(keys) do
    vim.keymap.set("n", key, function() action() end, { buffer = buffer })
  end
end

vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost" }, {
  pattern = { "*.yaml", "*.yml" },
  callback = function(args)
    if is_rule_file(args.buf) then
      attach(args.buf)
    end
  end,
})

-- the games that came with rulespec are for reading
vim.api.nvim_create_autocmd("BufReadPost", {
  pattern = "*-packages/rulespec/games/*",
  callback = function(args)
    vim.bo[args.buf].readonly = true
    vim.bo[args.buf].modifiable = false
  end,
})
